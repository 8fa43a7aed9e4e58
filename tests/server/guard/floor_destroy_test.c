/* floor_destroy_test.c -- group 5: what no project owns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/server/guard/floor.h"
#include "shared/base/str.h"
#include "shared/base/ban.h"

static const struct floor_row rows[] = {
	{ NULL, "rm -rf /", "destruction" },
	{ NULL, "rm -rf /*", "destruction" },
	{ NULL, "rm -rf / --no-preserve-root", "destruction" },
	{ NULL, "rm -r -f --  /", "destruction" },
	{ NULL, "rm --recursive /usr", "destruction" },
	{ NULL, "rm -rf ~/*", "destruction" },
	{ NULL, "rm -rf ~/.*", "destruction" },
	{ NULL, "rm -rf \"$HOME\"", "destruction" },
	{ NULL, "rm -rf ${HOME:?}/", "destruction" },
	{ NULL, "rm -rf ..", "destruction" },
	{ NULL, "rm -rf ../*", "destruction" },
	{ NULL, "rm -rf ../../u", "destruction" },
	{ NULL, "rm -rf /home/other", "destruction" },
	{ NULL, "cd / && rm -rf *", "destruction" },
	{ NULL, "cd ~ && rm -rf .", "destruction" },
	{ NULL, "bash -c 'rm -rf /'", "destruction" },
	{ NULL, "sudo -E rm -rf /etc", "destruction" },
	{ NULL, "x=/; rm -rf $x", "destruction" },
	{ NULL, "\\rm -rf /", "destruction" },
	{ NULL, "/bin/rm -rf /", "destruction" },
	{ NULL, "r''m -rf /", "destruction" },
	{ NULL, "$'\\x72m' -rf /", "destruction" },
	{ NULL, "{rm,-rf,/}", "destruction" },
	{ NULL, "echo / | xargs rm -rf", "destruction" },
	{ NULL, "find / -delete", "destruction" },
	{ NULL, "find ~ -exec rm -rf {} +", "destruction" },
	{ NULL, "python3 -c \"import os; os.system('rm -rf /')\"", "destruction" },
	{ NULL, "perl -e 'system(\"rm -rf /\")'", "destruction" },
	{ NULL, "awk 'BEGIN { system(\"rm -rf /\") }'", "destruction" },
	{ NULL, "node -e \"require('child_process').execSync('rm -rf /')\"", "destruction" },
	{ NULL, "ssh build.example.org 'rm -rf /'", "destruction" },
	{ NULL, "docker exec web sh -c 'rm -rf /'", "destruction" },
	{ NULL, "chmod -R 777 /", "destruction" },
	{ NULL, "sudo chown -R me:me /usr", "destruction" },
	{ NULL, "chmod -R u+w ~", "destruction" },
	{ NULL, "mv /home/u /tmp/x", "destruction" },
	{ NULL, "mkfs.ext4 /dev/sda1", "destruction" },
	{ NULL, "dd if=/dev/zero of=/dev/sda", "destruction" },
	{ NULL, "cat x > /dev/nvme0n1", "destruction" },
	{ NULL, "cp x.img /dev/mmcblk0", "destruction" },
	{ NULL, "wipefs -a /dev/sda", "destruction" },
	{ NULL, "shred /dev/sda", "destruction" },
	{ NULL, "sudo fdisk /dev/sda", "destruction" },
	{ NULL, "zpool destroy tank", "destruction" },
	{ NULL, "userdel -r u", "destruction" },
	{ NULL, ":(){ :|:& };:", "destruction" },
	{ NULL, "bomb() { bomb | bomb & }; bomb", "destruction" },
	{ NULL, "rsync -a --delete empty/ ~", "destruction" },
	{ NULL, "true && (false || { rm -rf /; })", "destruction" },
	{ NULL, "while :; do rm -rf /; done", "destruction" },
	{ NULL, "f() { rm -rf \"$1\"; }; f /", "destruction" },
	{ NULL, "echo \"$(rm -rf /)\"", "destruction" },
	/* the twins */
	{ NULL, "rm -rf build", "" },
	{ NULL, "rm -rf ./node_modules", "" },
	{ NULL, "rm -rf *", "" },
	{ NULL, "rm -rf .", "" },
	{ NULL, "rm -rf ../sibling", "" },
	{ NULL, "rm -rf /tmp/x", "" },
	{ NULL, "rm -rf \"$TMPDIR/x\"", "" },
	{ NULL, "rm -rf \"$BUILD\"/", "" },
	{ NULL, "rm -rf ~/.cache/app", "" },
	{ NULL, "rm -rf ~/app/target", "" },
	{ NULL, "rm x /tmp/y", "" },
	{ NULL, "echo \"rm -rf /\"", "" },
	{ NULL, "echo 'rm -rf /' > notes.md", "" },
	{ NULL, "grep -rn 'rm -rf /' .", "" },
	{ NULL, "git commit -m 'never rm -rf /'", "" },
	{ NULL, "python3 -c \"print('rm -rf /')\"", "" },
	{ NULL, "cat > x.sh <<'E'\nrm -rf /\nE\n", "" },
	{ NULL, "# rm -rf /", "" },
	{ NULL, "echo done # ; rm -rf /", "" },
	{ NULL, "cd build && rm -rf *", "" },
	{ NULL, "(cd / && ls); rm -rf *", "" },
	{ NULL, "find . -name '*.o' -delete", "" },
	{ NULL, "find / -name core", "" },
	{ NULL, "find / -name core -delete", "?destruction" },
	{ NULL, "find build -exec rm -rf {} +", "" },
	{ NULL, "chmod -R u+w build", "" },
	{ NULL, "chmod +x /home/u/app/x.sh", "" },
	{ NULL, "chown -R me:me .", "" },
	{ NULL, "mv build/x /tmp/", "" },
	{ NULL, "mkfs.ext4 disk.img", "" },
	{ NULL, "dd if=/dev/zero of=disk.img count=1", "" },
	{ NULL, "dd if=/dev/sda of=/dev/null count=1", "" },
	{ NULL, "make > /dev/null 2>&1", "" },
	{ NULL, "echo x > /dev/stderr", "" },
	{ NULL, "echo x | tee /dev/tty", "" },
	{ NULL, "shred -u old.txt", "" },
	{ NULL, "fdisk -l /dev/sda", "" },
	{ NULL, "git push --force", "" },
	{ NULL, "git clean -fdx", "" },
	{ NULL, "f() { f2 | cat; }; f", "" },
	{ NULL, "retry() { \"$@\" || retry \"$@\"; }; retry make", "" },
	{ NULL, "ssh build.example.org 'rm -rf /srv/app/old'", "" },
	{ NULL, "docker exec web rm -rf /tmp/x", "" },
	{ NULL, "terraform destroy", "" },
	{ NULL, "rsync -a --delete out/ site/", "" },
	{ NULL, "ls /; du -sh /usr", "" },
	{ NULL, "npm run build -- --outDir dist", "" },
	{ "mcp__term__run", "{\"command\":[\"rm\",\"-rf\",\"/\"]}", "destruction" },
	{ "shell", "{\"command\":[\"rm\",\"-rf\",\"build\"]}", "" },
};

static void test_rows(void **state)
{
	(void)state;
	floor_check(rows, VY_COUNT(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

	return cmocka_run_group_tests_name("floor: destroy", tests, NULL, NULL);
}
