#!/usr/bin/env node
// other_apis.mjs -- stands in for the APIs that other agents speak, for a measurement beside them.
//
//   node other_apis.mjs [--port N]
//
// It listens on 127.0.0.1 and says so as messages_api.mjs does. One answer is known: a prompt that ends in a
// script's `pace:N rate=R` (script.mjs) gets N words by the clock; everything else gets "ok".
//
//   POST /v1/responses          the Responses API, streamed         codex
//   POST /v1/chat/completions   chat completions, streamed or not   opencode
//   GET  /v1/models             one model, "fake-model"
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { answersOf, CLOCK, play, scriptIn } from './script.mjs'

const options = parseArgs({ options: { port: { type: 'string', default: '0' } } }).values
let serial = 0

// ---- what is answered ----------------------------------------------------------------------

const textOf = content => typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('\n')

// The newest words of a person that are a script, in a request that may use tools: the others are
// the agent's own (a title, a summary).
function answerTo(body) {
  const said = [body.input ?? body.messages ?? []].flat().filter(m => m.role === 'user').map(m => textOf(m.content).trim())
  const steps = body.tools?.length ? scriptIn(said.at(-1) ?? '') : null
  const answer = steps && play(answersOf(steps)[0], { images: [], said: [], tools: [], attempt: () => 0 })
  return { rate: answer?.rate ?? 0, words: answer?.blocks[0]?.deltas ?? ['ok'] }
}

// ---- two ways to say it ----------------------------------------------------------------------

// Each: what comes before the words, a word, what comes after them. `all` is the text that was sent.
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
  return { before: chunk(choice({ role: 'assistant', content: '' })),
    word: content => chunk(choice({ content })),
    after: () => chunk(choice({}, 'stop')) + chunk([], usage) + 'data: [DONE]\n\n' }
}

// ---- the wire --------------------------------------------------------------------------------

// Microseconds of CLOCK_MONOTONIC, which every process of the machine shares.
const clock = () => process.hrtime.bigint() / 1000n

async function stream(res, answer, way) {
  const begin = performance.now()
  let all = ''
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  res.write(way.before)
  for (const [i, word] of answer.words.entries()) {
    const left = answer.rate ? begin + (i + 1) * 1000 / answer.rate - performance.now() : 0
    if (left > 0) await pause(left)
    if (res.destroyed) return
    const sent = word.replace(CLOCK, `mk${clock()}z`)
    all += sent
    res.write(way.word(sent))
  }
  res.end(way.after(all))
}

const whole = (body, id) => ({ id: `chat_${id}`, object: 'chat.completion', created: 0, model: body.model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }] })

const server = http.createServer((req, res) => {
  let text = ''
  req.on('data', piece => { text += piece })
  req.on('end', () => {
    const path = req.url.split('?')[0], ways = { '/v1/responses': responses, '/v1/chat/completions': completions }
    const json = value => { res.writeHead(200, { 'content-type': 'application/json' }); res.end(JSON.stringify(value)) }
    if (req.method === 'GET') return json({ object: 'list', data: [{ id: 'fake-model', object: 'model' }], models: [] })
    if (!ways[path]) { res.writeHead(404); return res.end() }
    const body = JSON.parse(text)
    return body.stream ? stream(res, answerTo(body), ways[path](body, ++serial)) : json(whole(body, ++serial))
  })
})
server.listen(Number(options.port), '127.0.0.1', () => {
  const { port } = server.address()
  console.log(JSON.stringify({ ready: true, port, base_url: `http://127.0.0.1:${port}` }))
})
