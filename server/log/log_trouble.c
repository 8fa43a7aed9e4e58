/* log_trouble.c -- a commit that failed, a read that met damage: who is told what, and when it is tried again. */
#include "server/log/log_in.h"

#include "shared/base/clock.h"
#include "shared/base/log.h"
#include "shared/io/loop.h"
#include "shared/text/utf8.h"
#include "shared/base/ban.h"

#define ROOM_MS 2000 /* how often a full disk is looked at */

/* ---- told ---- */

static void tell_paused(struct log *l, bool is_paused)
{
	for (size_t i = 0; i < VY_COUNT(l->paused); i++) {
		if (l->paused[i].fn) {
			l->paused[i].fn(
				l->paused[i].ctx, is_paused, is_paused ? &l->trouble.why : NULL);
		}
	}
}

void log_say_trouble(struct log *l)
{
	vy_log(VY_LOG_ERROR, "log.paused", "code=%s why=%s", vy_code_name(l->trouble.why.code),
		vy_log_q(l->trouble.why.text));
	VY_AUTO_BUF note = VY_BUF_INIT(LOG_NOTE_MAX);

	trouble_note(&l->trouble, &note);
	if (l->trouble.why.code == VY_CORRUPT && l->remedy) {
		vy_buf_addc(&note, ' ');
		l->remedy(l->remedy_ctx, &note);
	}
	vy_buf_clear(&l->note);
	vy_utf8_clean(vy_buf_str(&note), &l->note); /* names of files stand in it */
	tell_paused(l, true);
}

static void say_over(struct log *l)
{
	vy_log(VY_LOG_INFO, "log.resumed", "commits=%u", l->commits);
	tell_paused(l, false);
}

/* Is there room for ordinary work again? Else look once more later. */
void log_look_for_room(void *ctx)
{
	struct log *l = ctx;

	if (l->trouble.why.code != VY_FULL || l->trouble.retry_ms > 0) {
		return; /* the next commit that goes through asks again */
	}
	if (!l->store->ops->has_room(l->store)) {
		log_timer_set(l->room_timer, ROOM_MS);
	} else if (trouble_end(&l->trouble)) {
		say_over(l);
	}
}

void log_recovered(struct log *l)
{
	log_timer_set(l->retry_timer, -1);
	if (trouble_passed(&l->trouble)) {
		say_over(l);
	} else if (!log_timer_is_set(l->room_timer)) {
		log_look_for_room(l);
	}
}

/* Whoever waits for a commit learns that it will not be. */
void log_dismiss_afters(struct log *l)
{
	struct after_list afters = TAILQ_HEAD_INITIALIZER(afters);

	TAILQ_CONCAT(&afters, &l->stage.afters, link);
	after_list_run(&afters, false);
}

/* Nobody has to wait for a disk to see what there is: once people are told that it is paused. A
 * commit that is held for some ms is waited for, or a read would see what the log does not have. */
void log_release_reads(struct log *l)
{
	struct after_list reads = TAILQ_HEAD_INITIALIZER(reads);
	struct after *a, *next;

	if (l->trouble.why.code == VY_OK) {
		return;
	}
	for (a = TAILQ_FIRST(&l->stage.afters); a; a = next) {
		next = TAILQ_NEXT(a, link);
		if (a->is_read) {
			TAILQ_REMOVE(&l->stage.afters, a, link);
			TAILQ_INSERT_TAIL(&reads, a, link);
		}
	}
	after_list_run(&reads, true);
}

void log_failed(struct log *l, const struct vy_err *e)
{
	if (trouble_failed(&l->trouble, e, vy_boot_ms(l->clock))) {
		log_say_trouble(l);
	}
	log_release_reads(l);
	if (l->trouble.is_broken) {
		log_dismiss_afters(l);
	} else {
		log_timer_set(l->retry_timer, l->trouble.retry_ms);
	}
}

/* ---- damage that a read meets ---- */

void log_on_damage(void *ctx)
{
	struct log *l = ctx;

	log_say_trouble(l);
	if (stage_has_writes(&l->stage)) {
		log_dismiss_afters(l);
	}
}

/* Whoever reads may stand anywhere, so it is said later in this turn. */
void log_damaged(void *ctx, const struct vy_err *e)
{
	struct log *l = ctx;

	if (l->trouble.is_broken) {
		return;
	}
	log_timer_set(l->retry_timer, -1);
	trouble_failed(&l->trouble, e, vy_boot_ms(l->clock));
	if (l->loop) {
		vy_loop_defer(l->loop, log_on_damage, l);
	} else {
		log_on_damage(l);
	}
}
