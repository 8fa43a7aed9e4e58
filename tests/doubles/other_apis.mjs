#!/usr/bin/env node
// other_apis.mjs -- stands in for the APIs that other agents speak.
//
//   node other_apis.mjs [--port N] [--log FILE]
//
// It listens on 127.0.0.1 and says so as messages_api.mjs does, and plays the same scripts (script.mjs): words by
// the clock for a measurement (`pace:N rate=R`), or words and calls. A request without tools is the agent's own (a title,
// a summary) and gets "ok".
//
//   POST /v1/responses                               the Responses API, streamed         codex (words alone)
//   POST /v1/chat/completions                        chat completions, streamed or not   opencode
//   POST /v1beta/models/M:streamGenerateContent      Gemini's, streamed                  gemini-cli
//        /v1beta/models/M:generateContent            and whole: its questions beside the conversation
//   GET  /v1/models                                  one model, "fake-model"
import { appendFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { smallest } from './schema.mjs'
import { answersOf, CLOCK, play, scriptIn, text } from './script.mjs'

const options = parseArgs({ options: { port: { type: 'string', default: '0' }, log: { type: 'string' } } }).values
let serial = 0

// ---- what was said so far --------------------------------------------------------------------

// A conversation of any way as [{who: 'person' | 'model' | 'tool', text}].
const textOf = content => typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('\n')
const WHO = { user: 'person', assistant: 'model', model: 'model', tool: 'tool' }
const messagesIn = list => [list ?? []].flat().filter(m => WHO[m.role]).map(m => ({ who: WHO[m.role], text: textOf(m.content).trim() }))
const contentsIn = list => (list ?? []).map(({ role, parts }) => {
  const result = parts.find(p => p.functionResponse)?.functionResponse.response
  return result ? { who: 'tool', text: String(result.output ?? JSON.stringify(result)) } : { who: WHO[role], text: textOf(parts).trim() }
})

// ---- what is answered ----------------------------------------------------------------------

// The agents' own names for what a script calls by claude's.
const NAMES = { Bash: ['bash', 'run_shell_command'], Read: ['read', 'read_file'], Write: ['write', 'write_file'] }
const nameOf = (name, tools) => tools.find(tool => NAMES[name]?.includes(tool)) ?? name

// The newest words of a person that are a script: which of its answers is due, as deltas and calls.
function answerTo(turns, tools) {
  const at = tools.length > 0 ? turns.findLastIndex(t => t.who === 'person' && scriptIn(t.text)) : -1
  if (at < 0) return { blocks: [text('ok')] }
  const behind = turns.slice(at + 1), results = behind.filter(t => t.who === 'tool')
  const due = answersOf(scriptIn(turns[at].text))[behind.filter(t => t.who === 'model').length]
  if (!due) return { blocks: [text(`done: ${results.length} tool result(s): ${results.at(-1)?.text.slice(0, 60) ?? ''}`)] }
  const said = turns.filter(t => t.who === 'person').map(t => t.text)
  const answer = play(due, { images: [], said, tools, attempt: () => 0 })
  return { ...answer, blocks: answer.blocks.map(b => b.name ? { ...b, name: nameOf(b.name, tools) } : b) }
}

// ---- the ways to say it ----------------------------------------------------------------------

// Each: what comes before, a word, a call, what comes behind. `all` is the text that was sent.
function responses(body, id) {
  const event = (type, members) => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: serial++, ...members })}\n\n`
  const response = (status, output) => ({ id: `resp_${id}`, object: 'response', created_at: 0, status, model: body.model, output,
    usage: status === 'completed' ? { input_tokens: 9, input_tokens_details: { cached_tokens: 0 }, output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 18 } : null })
  const part = said => ({ type: 'output_text', text: said, annotations: [] })
  const item = (status, ...content) => ({ id: `msg_${id}`, type: 'message', role: 'assistant', status, content })
  const at = { item_id: `msg_${id}`, output_index: 0, content_index: 0 }
  return {
    before: event('response.created', { response: response('in_progress', []) }) +
      event('response.output_item.added', { output_index: 0, item: item('in_progress') }) +
      event('response.content_part.added', { ...at, part: part('') }),
    word: delta => event('response.output_text.delta', { ...at, delta }),
    call: () => '',
    after: all => event('response.output_text.done', { ...at, text: all }) +
      event('response.content_part.done', { ...at, part: part(all) }) +
      event('response.output_item.done', { output_index: 0, item: item('completed', part(all)) }) +
      event('response.completed', { response: response('completed', [item('completed', part(all))]) }) }
}

function completions(body, id) {
  const chunk = (choices, usage) => `data: ${JSON.stringify({ id: `chat_${id}`, object: 'chat.completion.chunk', created: 0,
    model: body.model, choices, ...usage })}\n\n`
  const choice = (delta, reason = null) => [{ index: 0, delta, finish_reason: reason }]
  const usage = { usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 } }
  let calls = 0
  return { before: chunk(choice({ role: 'assistant', content: '' })),
    word: content => chunk(choice({ content })),
    call: ({ name, input }) => chunk(choice({ tool_calls: [{ index: calls++, id: `call_${id}_${calls}`, type: 'function',
      function: { name, arguments: JSON.stringify(input) } }] })),
    after: () => chunk(choice({}, calls ? 'tool_calls' : 'stop')) + chunk([], usage) + 'data: [DONE]\n\n' }
}

const USAGE = { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 } }
const candidate = (parts, more) => ({ candidates: [{ index: 0, content: { role: 'model', parts }, ...more }], modelVersion: 'fake-model' })

// Its own questions beside the conversation: which model is to be asked, who speaks next.
function besideOf({ generationConfig: { responseJsonSchema, responseSchema } = {} }) {
  const schema = responseJsonSchema ?? responseSchema
  return schema ? JSON.stringify(smallest(schema)) : 'ok'
}

function gemini(body, id) {
  const event = value => `data: ${JSON.stringify(value)}\r\n\r\n`
  let calls = 0
  return { before: '',
    word: said => event(candidate([{ text: said }])),
    call: ({ name, input }) => event(candidate([{ functionCall: { id: `call_${id}_${++calls}`, name, args: input } }])),
    after: () => event({ ...candidate([{ text: '' }], { finishReason: 'STOP' }), ...USAGE }) }
}

// ---- the wire --------------------------------------------------------------------------------

// Microseconds of CLOCK_MONOTONIC, which every process of the machine shares.
const clock = () => process.hrtime.bigint() / 1000n

async function stream(res, { blocks, rate = 0, pace = 0 }, way) {
  const begin = performance.now()
  let all = '', n = 0
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  res.write(way.before)
  for (const block of blocks) {
    if (block.name) res.write(way.call(block))
    for (const word of block.deltas ?? []) {
      const left = rate ? begin + ++n * 1000 / rate - performance.now() : pace
      if (left > 0) await pause(left)
      if (res.destroyed) return
      const sent = word.replace(CLOCK, `mk${clock()}z`)
      all += sent
      res.write(way.word(sent))
    }
  }
  res.end(way.after(all))
}

const whole = (body, id) => ({ id: `chat_${id}`, object: 'chat.completion', created: 0, model: body.model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }] })

const functionsOf = tools => (tools ?? []).flatMap(t => t.functionDeclarations ?? [t.function ?? t]).map(f => f.name ?? '')

const server = http.createServer((req, res) => {
  let raw = ''
  req.on('data', piece => { raw += piece })
  req.on('end', () => {
    const path = req.url.split('?')[0], ways = { '/v1/responses': responses, '/v1/chat/completions': completions }
    const json = value => { res.writeHead(200, { 'content-type': 'application/json' }); res.end(JSON.stringify(value)) }
    if (options.log) appendFileSync(options.log, JSON.stringify({ url: req.url, body: raw && JSON.parse(raw) }) + '\n')
    if (req.method === 'GET') return json({ object: 'list', data: [{ id: 'fake-model', object: 'model' }], models: [] })
    const way = path.endsWith(':streamGenerateContent') ? gemini : ways[path]
    if (!way && !path.endsWith(':generateContent')) { res.writeHead(404); return res.end() }
    const body = JSON.parse(raw)
    if (!way) return json({ ...candidate([{ text: besideOf(body) }], { finishReason: 'STOP' }), ...USAGE })
    const turns = way === gemini ? contentsIn(body.contents) : messagesIn(body.input ?? body.messages)
    return body.stream || way === gemini ? stream(res, answerTo(turns, functionsOf(body.tools)), way(body, ++serial))
      : json(whole(body, ++serial))
  })
})
server.listen(Number(options.port), '127.0.0.1', () => {
  const { port } = server.address()
  console.log(JSON.stringify({ ready: true, port, base_url: `http://127.0.0.1:${port}` }))
})
