#!/usr/bin/env node
// messages_api.mjs -- stands in for the Messages API, so that the real agents can be driven by script.
//
//   node messages_api.mjs [--port N] [--log FILE] [--delay MS] [--ratelimit]
//
// No key, no network, no package: it listens on 127.0.0.1 (port 0, the default, takes a free one) and
// prints {"ready":true,"port":N,"base_url":"http://127.0.0.1:N"} once it does. What it answers is a
// function of the request alone (script.mjs has the language); only ids hold a process and a number.
// --log appends a line of JSON for each request; --delay is the pause between deltas (5);
// --ratelimit adds the headers that say how much of a limit is used.
//
//   POST /v1/messages               streamed or whole
//   POST /v1/messages/count_tokens  about four bytes a token
//   GET  /v1/models                 a short list
//   GET  /__requests                what was asked so far; POST /__reset forgets it
//
// Requests beside the conversation are known and answered: a title, a summary of the conversation,
// an answer by a JSON schema, the notice of a finished background task, the one-token probe of a model.
import { appendFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { smallest } from './schema.mjs'
import { answersOf, CLOCK, play, scriptIn, text } from './script.mjs'

const options = parseArgs({ options: { port: { type: 'string', default: '0' }, log: { type: 'string' },
  delay: { type: 'string', default: '5' }, ratelimit: { type: 'boolean' } } }).values
const started = Date.now()
const state = { serial: 0, requests: [], failures: new Map() }

const tokensOf = value => Math.ceil((typeof value === 'string' ? value : JSON.stringify(value ?? '')).length / 4)

// ---- what a request says -----------------------------------------------------------------

const blocksOf = message => typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content

function promptsOf(message) {
  return blocksOf(message).filter(b => b.type === 'text')
    .map(b => b.text.replace(/<system-reminder>[^]*?<\/system-reminder>/g, '').trim()).filter(Boolean)
}

const resultsOf = message => message ? blocksOf(message).filter(b => b.type === 'tool_result') : []
const resultText = ({ content }) => typeof content === 'string' ? content : (content ?? []).map(b => b.text ?? `[${b.type}]`).join('')

// The newest prompt that counts, its answers if it is a script, and how many were given. A line that
// was steered in beside tool results is no prompt of its own, unless it is a script.
function placeIn(messages) {
  for (let at = messages.length - 1; at >= 0; at--) {
    if (messages[at].role !== 'user') continue
    const prompts = promptsOf(messages[at])
    for (const prompt of [...prompts].reverse()) {
      const steps = scriptIn(prompt)
      if (steps) {
        const given = messages.slice(at + 1).filter(m => m.role === 'assistant').length
        return { prompt, at, given, answers: answersOf(steps) }
      }
    }
    if (prompts.length > 0 && resultsOf(messages[at]).length === 0) return { prompt: prompts.at(-1), at, given: 0 }
  }
  return { prompt: '', at: -1, given: 0 }
}

// ---- what is answered ----------------------------------------------------------------------

// The requests that are no part of the conversation; null when this is none of them.
function aside(body) {
  const system = [body.system ?? ''].flat().map(b => b.text ?? b).join('\n')
  const schema = (body.output_config?.format ?? body.output_format)?.schema
  const last = body.messages.length > 0 ? promptsOf(body.messages.at(-1)).join('\n') : ''
  const say = (kind, words, stop) => ({ kind, blocks: [text(words)], stop })

  if (schema) return say('schema', JSON.stringify(smallest(schema)))
  if (/create a detailed summary of (the|this)/i.test(last)) return say('summary', '<summary>\nA summary of the conversation.\n</summary>')
  if (last.startsWith('<task-notification>')) return say('notice', 'noted')
  if (!body.tools?.length && /title/i.test(system) && !scriptIn(last)) return say('title', '{"title": "Fake session title"}')
  if (body.max_tokens === 1) return say('probe', 'ok', 'max_tokens')
  return null
}

function callOf(body, place) {
  const key = `${place.at}/${place.given}/${place.prompt}`
  const images = body.messages.flatMap(blocksOf).filter(b => b.type === 'image').map(b => b.source?.media_type)
  const planFile = JSON.stringify(body.messages).match(/\/[^\s"'`\\]*\/plans\/[\w.-]+\.md/)?.[0] ?? 'no-plan-file.md'
  const attempt = () => {
    const before = state.failures.get(key) ?? 0
    state.failures.set(key, before + 1)
    return before
  }
  const said = body.messages.filter(m => m.role === 'user').flatMap(promptsOf)
  return { images, said, planFile, attempt, tools: (body.tools ?? []).map(tool => tool.name) }
}

function answerTo(body, place) {
  const beside = aside(body)
  if (beside) return beside
  if (!place.answers) return { kind: 'plain', blocks: [text(`You said: ${place.prompt}`)] }
  if (place.given < place.answers.length) return play(place.answers[place.given], callOf(body, place))
  const results = resultsOf(body.messages.at(-1))
  const tail = results.length > 0 ? `: ${resultText(results.at(-1)).slice(0, 60)}` : ''
  return { kind: 'done', blocks: [text(`done: ${results.length} tool result(s)${tail}`)] }
}

const inputOf = body => tokensOf(body.messages) + tokensOf(body.system) + tokensOf(body.tools)

function usageOf(body, answer) {
  const input = inputOf(body)
  const output = answer.blocks.reduce((sum, b) => sum + tokensOf(b.deltas?.join('') ?? b.input), 0)
  return { input_tokens: Math.min(input, 50), cache_creation_input_tokens: 0,
    cache_read_input_tokens: Math.max(0, input - 50), output_tokens: output, service_tier: 'standard' }
}

// A block whole, empty at its start, and the deltas between.
const KINDS = {
  text: b => ({ whole: { type: 'text', text: b.deltas.join('') }, empty: { type: 'text', text: '' },
    deltas: b.deltas.map(d => ({ type: 'text_delta', text: d })) }),
  thinking: (b, id) => ({ whole: { type: 'thinking', thinking: b.deltas.join(''), signature: `fake_${id}` },
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...b.deltas.map(d => ({ type: 'thinking_delta', thinking: d })), { type: 'signature_delta', signature: `fake_${id}` }] }),
  tool_use: (b, id) => ({ whole: { type: 'tool_use', id: `toolu_fake_${id}`, name: b.name, input: b.input },
    empty: { type: 'tool_use', id: `toolu_fake_${id}`, name: b.name, input: {} },
    deltas: JSON.stringify(b.input).match(/[^]{1,24}/g).map(d => ({ type: 'input_json_delta', partial_json: d })) }),
}

function messageOf(body, answer, serial) {
  const id = `${process.pid}_${serial}`
  return { blocks: answer.blocks.map((b, i) => KINDS[b.type](b, `${id}_${i}`)),
    head: { id: `msg_fake_${id}`, type: 'message', role: 'assistant', model: body.model },
    end: { stop_reason: answer.stop ?? 'end_turn', stop_sequence: null }, usage: usageOf(body, answer) }
}

// ---- the wire --------------------------------------------------------------------------------

function limitHeaders(rejected) {
  const reset = String(Math.floor(Date.now() / 1000) + 3600)
  const name = 'anthropic-ratelimit-unified-'
  return { [`${name}status`]: rejected ? 'rejected' : 'allowed', [`${name}reset`]: reset,
    [`${name}representative-claim`]: 'five_hour', [`${name}5h-status`]: rejected ? 'rejected' : 'allowed_warning',
    [`${name}5h-reset`]: reset, [`${name}5h-utilization`]: rejected ? '1.0' : '0.92',
    [`${name}7d-status`]: 'allowed', [`${name}7d-reset`]: reset, [`${name}7d-utilization`]: '0.41' }
}

function refuse(res, status, retryAfter, headers) {
  const type = { 400: 'invalid_request_error', 401: 'authentication_error', 403: 'permission_error', 404: 'not_found_error',
    413: 'request_too_large', 429: 'rate_limit_error', 529: 'overloaded_error' }[status] ?? 'api_error'
  res.writeHead(status, { ...headers, 'content-type': 'application/json', ...(status === 429 && limitHeaders(true)),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) })
  res.end(JSON.stringify({ type: 'error', error: { type, message: `fake ${type}` } }))
}

// Waits, but no longer than the client stays; true while it is there.
async function wait(ms, gone) {
  if (ms > 0) await pause(ms, undefined, { signal: gone }).catch(() => {})
  return !gone.aborted
}

// Microseconds of CLOCK_MONOTONIC, which every process of the machine shares.
const clock = () => process.hrtime.bigint() / 1000n

async function stream(res, answer, message) {
  const gone = new AbortController()
  const begin = performance.now()
  const send = (type, data) => res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const pace = answer.pace ?? Number(options.delay)

  res.on('close', () => gone.abort())
  send('message_start', { message: { ...message.head, content: [], stop_reason: null, stop_sequence: null,
    usage: { ...message.usage, output_tokens: 1 } } })
  send('ping')
  if (answer.hang && !await wait(answer.hang, gone.signal)) return
  for (const [index, block] of message.blocks.entries()) {
    send('content_block_start', { index, content_block: block.empty })
    for (const [i, delta] of block.deltas.entries()) {
      if (answer.rate) delta.text = delta.text.replace(CLOCK, `mk${clock()}z`)
      send('content_block_delta', { index, delta })
      const pause = answer.rate ? begin + (i + 1) * 1000 / answer.rate - performance.now() : pace
      if (!await wait(pause, gone.signal)) return note({ event: 'client closed the stream' })
    }
    if (answer.drop) return res.destroy()
    send('content_block_stop', { index })
  }
  send('message_delta', { delta: message.end, usage: message.usage })
  send('message_stop')
  res.end()
}

function note(entry) {
  const row = { ms: Date.now() - started, ...entry }
  state.requests.push(row)
  if (options.log) appendFileSync(options.log, JSON.stringify(row) + '\n')
}

function messages(req, res, body) {
  const serial = ++state.serial
  const headers = { 'request-id': `req_fake_${serial}`, ...(options.ratelimit && limitHeaders(false)) }
  const place = placeIn(body.messages)
  const answer = answerTo(body, place)
  const key = req.headers['x-api-key']

  note({ n: serial, kind: answer.kind, status: answer.status ?? 200, model: body.model, stream: !!body.stream,
    messages: body.messages.length, tools: body.tools?.length ?? 0, prompt: place.prompt.slice(0, 200), step: place.given,
    auth: key ? `x-api-key ${key.slice(0, 12)}` : (req.headers.authorization ?? 'none').slice(0, 19) })
  if (answer.status) return refuse(res, answer.status, answer.retryAfter, headers)
  const message = messageOf(body, answer, serial)
  if (!body.stream) {
    res.writeHead(200, { ...headers, 'content-type': 'application/json' })
    return res.end(JSON.stringify({ ...message.head, content: message.blocks.map(b => b.whole), ...message.end, usage: message.usage }))
  }
  res.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  return stream(res, answer, message)
}

const MODELS = ['claude-opus-4-8', 'claude-sonnet-4-6', 'claude-haiku-4-5']
const model = id => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' })
const ROUTES = {
  'POST /v1/messages': messages,
  'POST /v1/messages/count_tokens': (req, res, body) => json(res, { input_tokens: inputOf(body) }),
  'GET /v1/models': (req, res) => json(res, { data: MODELS.map(model), has_more: false }),
  'GET /__requests': (req, res) => json(res, state.requests),
  'POST /__reset': (req, res) => { state.requests = []; state.failures.clear(); json(res, {}) },
  'GET /': (req, res) => json(res, {}),
  'HEAD /': (req, res) => json(res, {}),
}

function json(res, data) {
  res.writeHead(200, { 'content-type': 'application/json' })
  res.end(JSON.stringify(data))
}

const server = http.createServer(async (req, res) => {
  try {
    const route = ROUTES[`${req.method} ${new URL(req.url, 'http://local').pathname}`]
    const parts = []
    for await (const part of req) parts.push(part)
    const raw = Buffer.concat(parts).toString()
    if (route !== messages && !req.url.startsWith('/__')) note({ method: req.method, url: req.url })
    if (!route) return refuse(res, 404)
    await route(req, res, raw ? JSON.parse(raw) : {})
  } catch (error) {
    console.error(`messages_api: ${req.method} ${req.url}: ${error.stack}`)
    if (!res.headersSent) refuse(res, 400)
    else res.destroy()
  }
})

server.listen(Number(options.port), '127.0.0.1', () => {
  const { port } = server.address()
  console.log(JSON.stringify({ ready: true, port, base_url: `http://127.0.0.1:${port}` }))
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))
