/* redact_shapes.c -- see redact_shapes.h. Where one prefix begins with another the longer comes first. */
#include "server/guard/redact_shapes.h"

#include <string.h>

#include "shared/base/ban.h"

const struct guard_shape guard_shapes[] = {
	{ "anthropic key", "sk-ant-", GUARD_URL, 10, 0, 0 },
	{ "openai key", "sk-proj-", GUARD_URL, 20, 0, 0 },
	{ "openai key", "sk-svcacct-", GUARD_URL, 20, 0, 0 },
	{ "openai key", "sk-admin-", GUARD_URL, 20, 0, 0 },
	{ "openrouter key", "sk-or-v1-", GUARD_HEX, 32, 0, 0 },
	{ "langsmith key", "lsv2_pt_", GUARD_URL, 32, 0, 0 },
	{ "langsmith key", "lsv2_sk_", GUARD_URL, 32, 0, 0 },
	{ "api key", "sk-", GUARD_ALNUM, 20, 0, GUARD_DIGIT },
	{ "groq key", "gsk_", GUARD_ALNUM, 40, 0, 0 },
	{ "perplexity key", "pplx-", GUARD_ALNUM, 40, 0, 0 },
	{ "xai key", "xai-", GUARD_ALNUM, 60, 0, 0 },
	{ "replicate token", "r8_", GUARD_ALNUM, 30, 0, 0 },
	{ "hugging face token", "hf_", GUARD_ALNUM, 30, 0, 0 },
	{ "github token", "ghp_", GUARD_ALNUM, 20, 0, 0 },
	{ "github token", "gho_", GUARD_ALNUM, 20, 0, 0 },
	{ "github token", "ghu_", GUARD_ALNUM, 20, 0, 0 },
	{ "github token", "ghs_", GUARD_ALNUM, 20, 0, 0 },
	{ "github token", "ghr_", GUARD_ALNUM, 20, 0, 0 },
	{ "github token", "github_pat_", GUARD_URL, 20, 0, 0 },
	{ "gitlab token", "glpat-", GUARD_DOTTED, 20, 0, 0 },
	{ "gitlab token", "gldt-", GUARD_URL, 20, 0, 0 },
	{ "gitlab token", "glrt-", GUARD_DOTTED, 20, 0, 0 },
	{ "gitlab token", "glptt-", GUARD_HEX, 40, 0, 0 },
	{ "gitlab token", "glcbt-", GUARD_DOTTED, 20, 0, 0 },
	{ "aws key", "AKIA", GUARD_UPPER, 16, 16, 0 },
	{ "aws key", "ASIA", GUARD_UPPER, 16, 16, 0 },
	{ "aws key", "ABIA", GUARD_UPPER, 16, 16, 0 },
	{ "azure signature", "&sig=", GUARD_TOKEN, 40, 0, GUARD_KEEP | GUARD_DIGIT },
	{ "google key", "AIza", GUARD_URL, 35, 35, 0 },
	{ "google token", "ya29.", GUARD_DOTTED, 20, 0, 0 },
	{ "google secret", "GOCSPX-", GUARD_URL, 20, 0, 0 },
	{ "google token", "1//0", GUARD_URL, 30, 0, 0 },
	{ "slack token", "xoxb-", GUARD_DASHED, 10, 0, GUARD_DIGIT },
	{ "slack token", "xoxp-", GUARD_DASHED, 10, 0, GUARD_DIGIT },
	{ "slack token", "xoxa-", GUARD_DASHED, 10, 0, GUARD_DIGIT },
	{ "slack token", "xoxs-", GUARD_DASHED, 10, 0, GUARD_DIGIT },
	{ "slack token", "xoxr-", GUARD_DASHED, 10, 0, GUARD_DIGIT },
	{ "slack token", "xoxe.", GUARD_DOTTED, 20, 0, GUARD_DIGIT },
	{ "slack token", "xapp-", GUARD_DASHED, 10, 0, GUARD_DIGIT },
	{ "slack hook", "hooks.slack.com/services/", GUARD_PATH, 30, 0, GUARD_KEEP },
	{ "discord hook", "discord.com/api/webhooks/", GUARD_PATH, 60, 0, GUARD_KEEP },
	{ "stripe key", "sk_live_", GUARD_ALNUM, 16, 0, 0 },
	{ "stripe key", "rk_live_", GUARD_ALNUM, 16, 0, 0 },
	{ "stripe key", "sk_test_", GUARD_ALNUM, 16, 0, 0 },
	{ "stripe key", "rk_test_", GUARD_ALNUM, 16, 0, 0 },
	{ "stripe secret", "whsec_", GUARD_BASE64, 24, 0, 0 },
	{ "square token", "sq0atp-", GUARD_URL, 22, 0, 0 },
	{ "square secret", "sq0csp-", GUARD_URL, 40, 0, 0 },
	{ "shopify token", "shpat_", GUARD_HEX, 32, 32, 0 },
	{ "shopify token", "shpca_", GUARD_HEX, 32, 32, 0 },
	{ "shopify token", "shppa_", GUARD_HEX, 32, 32, 0 },
	{ "shopify secret", "shpss_", GUARD_HEX, 32, 32, 0 },
	{ "sendgrid key", "SG.", GUARD_DOTTED, 60, 0, GUARD_DIGIT },
	{ "mailgun key", "key-", GUARD_HEX, 32, 32, 0 },
	{ "twilio key", "SK", GUARD_HEX, 32, 32, 0 },
	{ "digitalocean token", "dop_v1_", GUARD_HEX, 64, 64, 0 },
	{ "digitalocean token", "doo_v1_", GUARD_HEX, 64, 64, 0 },
	{ "digitalocean token", "dor_v1_", GUARD_HEX, 64, 64, 0 },
	{ "heroku token", "HRKU-", GUARD_URL, 36, 0, 0 },
	{ "databricks token", "dapi", GUARD_HEX, 32, 32, 0 },
	{ "docker token", "dckr_pat_", GUARD_URL, 20, 0, 0 },
	{ "docker token", "dckr_oat_", GUARD_URL, 20, 0, 0 },
	{ "npm token", "npm_", GUARD_ALNUM, 36, 36, 0 },
	{ "pypi token", "pypi-AgE", GUARD_URL, 40, 0, 0 },
	{ "rubygems key", "rubygems_", GUARD_HEX, 48, 48, 0 },
	{ "atlassian token", "ATATT3", GUARD_TOKEN, 60, 0, 0 },
	{ "atlassian token", "ATCTT3", GUARD_TOKEN, 60, 0, 0 },
	{ "linear key", "lin_api_", GUARD_ALNUM, 32, 0, 0 },
	{ "notion token", "ntn_", GUARD_ALNUM, 40, 0, 0 },
	{ "figma token", "figd_", GUARD_URL, 30, 0, 0 },
	{ "grafana token", "glsa_", GUARD_URL, 32, 0, 0 },
	{ "grafana token", "glc_", GUARD_BASE64, 32, 0, 0 },
	{ "vault token", "hvs.", GUARD_URL, 24, 0, 0 },
	{ "vault token", "hvb.", GUARD_URL, 24, 0, 0 },
	{ "doppler token", "dp.pt.", GUARD_ALNUM, 40, 0, 0 },
	{ "newrelic key", "NRAK-", GUARD_UPPER, 27, 27, 0 },
	{ "sentry token", "sntrys_", GUARD_TOKEN, 40, 0, 0 },
	{ "sentry token", "sntryu_", GUARD_HEX, 64, 64, 0 },
	{ "postman key", "PMAK-", GUARD_DASHED, 50, 0, 0 },
	{ "planetscale token", "pscale_tkn_", GUARD_URL, 32, 0, 0 },
	{ "planetscale password", "pscale_pw_", GUARD_URL, 32, 0, 0 },
	{ "supabase token", "sbp_", GUARD_HEX, 40, 40, 0 },
	{ "pulumi token", "pul-", GUARD_HEX, 40, 40, 0 },
	{ "tailscale key", "tskey-", GUARD_URL, 20, 0, GUARD_DIGIT },
	{ "fly token", "fm2_", GUARD_BASE64, 40, 0, 0 },
	{ "age key", "AGE-SECRET-KEY-1", GUARD_UPPER, 58, 58, 0 },
	{ "bearer token", "Bearer ", GUARD_TOKEN, 16, 0, GUARD_KEEP | GUARD_DIGIT },
	{ "bearer token", "bearer ", GUARD_TOKEN, 16, 0, GUARD_KEEP | GUARD_DIGIT },
	{ "basic login", "Authorization: Basic ", GUARD_BASE64, 8, 0, GUARD_KEEP },
	{ "basic login", "authorization: basic ", GUARD_BASE64, 8, 0, GUARD_KEEP },
	{ "token", "Authorization: token ", GUARD_TOKEN, 16, 0, GUARD_KEEP | GUARD_DIGIT },
	{ NULL, NULL, GUARD_ALNUM, 0, 0, 0 },
};

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

static bool is_alnum(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || is_digit(ch);
}

static bool is_one_of(const char *set, char ch)
{
	return ch && strchr(set, ch);
}

bool guard_is_in(enum guard_alphabet alphabet, char ch)
{
	switch (alphabet) {
	case GUARD_ALNUM: return is_alnum(ch);
	case GUARD_UPPER: return (ch >= 'A' && ch <= 'Z') || is_digit(ch);
	case GUARD_HEX: return is_digit(ch) || (ch >= 'a' && ch <= 'f');
	case GUARD_URL: return is_alnum(ch) || is_one_of("_-", ch);
	case GUARD_DOTTED: return is_alnum(ch) || is_one_of("_-.", ch);
	case GUARD_BASE64: return is_alnum(ch) || is_one_of("+/=", ch);
	case GUARD_DASHED: return is_alnum(ch) || ch == '-';
	case GUARD_PATH: return is_alnum(ch) || is_one_of("_-/", ch);
	case GUARD_TOKEN: return ch > ' ' && ch < 0x7f && !is_one_of("\"'`\\<>", ch);
	}
	return false;
}
