# The client in German and in Chinese, wide and narrow: nothing overlaps, and the line at the foot holds.
sh for l in de zh_CN; do mkdir -p locale/$l/LC_MESSAGES && msgfmt -o locale/$l/LC_MESSAGES/vyre.mo "$top_srcdir/po/$l.po" || exit; done
sh mkdir -p work
finally "$top_builddir/vyred" stop --all
env VYRE_DEMO_FAST=1
env LC_ALL=C.UTF-8

size 80 24
env LANGUAGE=de
run sh -c 'cd work && VYRE_LOCALEDIR=$T/locale exec "$top_builddir/vyre-tui" --new --provider demo'
wait "bereit"
expect row -1 "  shift-tab Modus    ? Hilfe                                             ● live"
type "bash:echo hi"
key Enter
wait "tab antworten"
wait "Bash ausführen?"
wait "3 Nein, sondern …"
expect row -1 has "esc zuklappen"
resize 40 12
wait "tab antworten"
expect row -1 has "esc zuklappen"
expect row -1 has "● live"
key Tab
wait "─ y ja   n nein   esc zuklappen ─"
key y
wait "bereit"
type "bash:echo a && echo b > x"
key Enter
resize 80 24
wait "│ „Immer“ speichert in dieser Sitzung:"
wait "keine Regel: wird wieder gefragt"
key Tab
wait "y ja   n nein   a immer   w wo   s auslassen   l später   esc zuklappen ─"
key w
wait "„Immer“ speichert in diesem Projekt:"
resize 40 12
wait "─ y ja   n nein   esc zuklappen ─"
expect row -1 has "● live"
key y
wait "bereit"
key shift-tab
wait "Änderungen annehmen"
expect row -1 has "● live"
key shift-tab
wait "Planmodus"
key shift-tab
wait "shift-tab Modus"
resize 80 24
type "err:529*1"
key Enter
wait "· Der Server des Modells antwortete 529; neuer Versuch (1 von 2)."
wait "bereit"
type "plan"
key Enter
wait "1 Ja, und Änderungen annehmen   2 Ja, vor Änderungen fragen"
key Tab n
wait "enter sendet das als Antwort"
key Esc
wait "esc zuklappen"
key Tab
wait "s auslassen"
key s
wait "bereit"
resize 40 12
key F1
wait "sonst unterbrechen"
expect row -1 "  esc schließen  ↑↓ rollen"
quit

size 80 24
env LANGUAGE=zh_CN
run sh -c 'cd work && VYRE_LOCALEDIR=$T/locale exec "$top_builddir/vyre-tui" --new --provider demo'
wait "轮到您了"
expect row -1 "  shift-tab 模式    ? 帮助                                               ● 在线"
type "bash:echo hi"
key Enter
wait "要运行 Bash 吗？"
wait "3 否，并说明"
resize 40 12
wait "tab 回答"
expect row -1 "  shift-tab 模式    esc 折叠     ● 在线"
key Tab
key y
wait "轮到您了"
type "bash:echo a && echo b > x"
key Enter
resize 80 24
wait "│ “总是”将在此会话中保存："
wait "无规则：会再次询问"
key Tab
wait "y 是   n 否   a 总是   w 范围   s 跳过   l 稍后   esc 折叠 ─"
key w
wait "“总是”将在此项目中保存："
resize 40 12
wait "─ y 是   n 否   a 总是"
expect row -1 has "● 在线"
key y
wait "轮到您了"
key F1
wait "关闭已打开的内容"
expect row -1 "  esc 关闭  ↑↓ 滚动"
quit

# a locale that this machine has not, as ssh brings it along, says by its name what is wanted
size 80 24
env LANGUAGE=
env LC_ALL=de_XX.UTF-8
run sh -c 'cd work && VYRE_LOCALEDIR=$T/locale exec "$top_builddir/vyre-tui"'
wait "bereit"
expect row -1 has "● live"
quit
env LC_ALL=
env LC_CTYPE=UTF-8
env LANG=
run sh -c 'cd work && VYRE_LOCALEDIR=$T/locale exec "$top_builddir/vyre-tui"'
wait "your turn"
expect row -1 has "● live"
quit
env LC_CTYPE=
run sh -c 'cd work && VYRE_LOCALEDIR=$T/locale exec "$top_builddir/vyre-tui"'
wait "your turn"
expect row -1 has "* live"
quit
