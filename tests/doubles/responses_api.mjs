#!/usr/bin/env node
// responses_api.mjs -- stands in for the Responses API, so that the real codex can be driven by script.
//
//   node responses_api.mjs [--port N] [--log FILE] [--delay MS]
//
// As messages_api.mjs: 127.0.0.1 alone, no key, one line of JSON when it listens. The script is the
// newest text of a person that begins with one of the words below, or whose last line does; steps are parted
// by " ;; ". All up to a call is one answer; when its result comes, the script goes on behind it.
//
//   say:TEXT            word by word               reason:N   N words of thought
//   slow:SECONDS        a word every 200 ms        echo       the result of the last call
//   images              how many pictures came along
//   sh:CMD              a shell command            esc:CMD    one that wants out of the sandbox
//   bash:CMD            esc: in a sandbox that only reads, else sh:
//   patch:PATH          a new file of three lines  edit:PATH:OLD=>NEW  one line of it
//   plan:DONE/TOTAL     the list of things to do   ask:Q|A|B  a question
//   err:CODE[:TIMES]    an error of HTTP, always or so often
//   recall              the scripts it was told, in order
import { appendFileSync } from 'node:fs'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const options = parseArgs({ options: { port: { type: 'string', default: '0' }, log: { type: 'string' },
  delay: { type: 'string', default: '5' } } }).values
const WORD = /^(say|reason|slow|images|echo|sh|bash|esc|patch|edit|plan|ask|err|recall)(:|$)/
const NAMES = 'alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima'.split(' ')
const failures = new Map()
let serial = 0

const words = n => Array.from({ length: n }, (_, i) => (i ? ' ' : '') + NAMES[i % NAMES.length])
const textOf = content => typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('\n')

// ---- what is called --------------------------------------------------------------------------

const patchOf = body => ({ name: 'apply_patch', custom: `*** Begin Patch\n${body}\n*** End Patch\n` })
const CALLS = {
  sh: cmd => ({ name: 'exec_command', args: { cmd } }),
  // as a model does that is told what its sandbox may
  bash: (cmd, body) => CALLS[JSON.stringify(body.input).includes('sandbox_mode` is `read-only`') ? 'esc' : 'sh'](cmd),
  esc: cmd => ({ name: 'exec_command', args: { cmd, sandbox_permissions: 'require_escalated', justification: 'To leave the sandbox?' } }),
  patch: path => patchOf(`*** Add File: ${path}\n+one\n+two\n+three`),
  edit: arg => {
    const [, path, was, is] = /^(.*?):(.*)=>(.*)$/.exec(arg)
    return patchOf(`*** Update File: ${path}\n@@\n-${was}\n+${is}`)
  },
  plan: arg => {
    const [done, total] = arg.split('/').map(Number)
    const status = i => i < done ? 'completed' : i === done ? 'in_progress' : 'pending'
    return { name: 'update_plan', args: { plan: Array.from({ length: total }, (_, i) => ({ step: `Step ${i + 1}`, status: status(i) })) } }
  },
  ask: arg => {
    const [question, ...labels] = arg.split('|')
    return { name: 'request_user_input', args: { questions: [{ id: 'q1', header: 'Choice', question,
      options: labels.map(label => ({ label, description: `Take ${label}` })) }] } }
  },
}

// ---- where the script stands -------------------------------------------------------------------

const scriptIn = m => {
  const text = textOf(m.content).trim(), last = text.split('\n').at(-1)
  return m.role !== 'user' ? null : WORD.test(text) ? text : WORD.test(last) ? last : null
}

function scriptOf(input) {
  const at = input.findLastIndex(scriptIn)
  if (at < 0) return null
  const steps = scriptIn(input[at]).split(' ;; ').map(s => ({ verb: s.split(':')[0], arg: s.slice(s.indexOf(':') + 1 || s.length) }))
  const answers = [[]]
  for (const step of steps) {
    answers.at(-1).push(step)
    if (CALLS[step.verb]) answers.push([])
  }
  const results = input.slice(at + 1).filter(m => /_call_output$/.test(m.type ?? ''))
  const last = results.at(-1)?.output
  const said = input.map(scriptIn).filter(Boolean)
  const images = input.flatMap(m => Array.isArray(m.content) ? m.content : []).filter(c => c.type === 'input_image').length
  return { steps, said, images, answer: answers[results.length] ?? [], last: typeof last === 'string' ? last : textOf(last) }
}

// ---- how it is said ----------------------------------------------------------------------------

async function answer(res, body, script) {
  const id = ++serial, output = []
  let n = 0
  const send = (type, members) => res.write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: n++, ...members })}\n\n`)
  const response = (status, more) => ({ id: `resp_${id}`, object: 'response', created_at: 0, status, model: body.model, output, ...more })
  const item = async (head, how, done) => {
    const at = { output_index: output.length, item_id: head.id }
    send('response.output_item.added', { output_index: at.output_index, item: head })
    await how(at)
    output.push({ ...head, ...done() })
    send('response.output_item.done', { output_index: at.output_index, item: output.at(-1) })
  }
  const speak = async (deltas, ms) => {
    let all = ''
    const part = text => ({ type: 'output_text', text, annotations: [] })
    await item({ id: `msg_${id}_${output.length}`, type: 'message', role: 'assistant', status: 'in_progress', content: [] }, async at => {
      send('response.content_part.added', { ...at, content_index: 0, part: part('') })
      for (const delta of deltas) {
        if (res.destroyed) return
        all += delta
        send('response.output_text.delta', { ...at, content_index: 0, delta })
        await pause(ms)
      }
      send('response.output_text.done', { ...at, content_index: 0, text: all })
    }, () => ({ status: 'completed', content: [part(all)] }))
  }
  const think = async deltas => {
    let all = ''
    await item({ id: `rs_${id}_${output.length}`, type: 'reasoning', summary: [], encrypted_content: null }, async at => {
      send('response.reasoning_summary_part.added', { ...at, summary_index: 0, part: { type: 'summary_text', text: '' } })
      for (const delta of deltas) {
        all += delta
        send('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta })
        await pause(Number(options.delay))
      }
      send('response.reasoning_summary_text.done', { ...at, summary_index: 0, text: all })
    }, () => ({ summary: [{ type: 'summary_text', text: all }] }))
  }
  const call = async made => {
    const call_id = `call_${id}_${output.length}`
    const head = made.custom === undefined ? { type: 'function_call', name: made.name, arguments: JSON.stringify(made.args) }
      : { type: 'custom_tool_call', name: made.name, input: made.custom }
    await item({ id: `fc_${call_id}`, call_id, status: 'completed', ...head }, async () => {}, () => ({}))
  }

  res.writeHead(200, { 'content-type': 'text/event-stream' })
  send('response.created', { response: response('in_progress') })
  for (const { verb, arg } of script?.answer ?? [{ verb: 'say', arg: 'ok' }]) {
    if (res.destroyed) return
    if (CALLS[verb]) await call(CALLS[verb](arg, body))
    else if (verb === 'reason') await think(words(Number(arg)))
    else if (verb === 'slow') await speak(words(Number(arg) * 5), 200)
    else if (verb === 'recall') await speak([`I remember: ${script.said.join(' | ')}`], 0)
    else if (verb === 'images') await speak([`images: ${script.images}`], 0)
    else if (verb === 'echo') await speak([script.last], 0)
    else if (verb === 'say') await speak(arg.split(' ').map((w, i) => (i ? ' ' : '') + w), Number(options.delay))
  }
  send('response.completed', { response: response('completed', { usage: { input_tokens: 1000, input_tokens_details: { cached_tokens: 500 },
    output_tokens: 20, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 1020 } }) })
  res.end()
}

function fails(script) {
  const step = script?.answer.find(s => s.verb === 'err')
  if (!step) return 0
  const [code, times] = step.arg.split(':').map(Number), seen = failures.get(step.arg) ?? 0
  failures.set(step.arg, seen + 1)
  return times && seen >= times ? 0 : code
}

const server = http.createServer(async (req, res) => {
  let raw = ''
  for await (const chunk of req) raw += chunk
  const json = (status, value) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (!req.url.startsWith('/v1/responses')) return json(req.url.startsWith('/v1/models') ? 200 : 404, { object: 'list', data: [] })
  const body = JSON.parse(raw), script = scriptOf([body.input].flat()), code = fails(script)
  if (options.log) appendFileSync(options.log, JSON.stringify({ url: req.url, model: body.model, steps: script?.steps }) + '\n')
  if (code) return json(code, { error: { type: 'server_error', message: `HTTP ${code}, as told` } })
  await answer(res, body, script)
})
server.listen(Number(options.port), '127.0.0.1', () => {
  const { port } = server.address()
  console.log(JSON.stringify({ ready: true, port, base_url: `http://127.0.0.1:${port}` }))
})
