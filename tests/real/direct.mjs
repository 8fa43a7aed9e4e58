// direct.mjs -- drives claude over stream-json without vyred: text, an allowed and a denied tool, a question.
//
//   node direct.mjs CLAUDE    in an empty folder and a clean environment; ends with 0 if all went as said
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

const args = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json',
  '--permission-prompt-tool', 'stdio', '--permission-mode', 'default', '--include-partial-messages',
  '--setting-sources=user', '--strict-mcp-config', `--session-id=${randomUUID()}`]
const agent = spawn(process.argv[2], args, { stdio: ['pipe', 'pipe', 'inherit'] })
const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]()
const stuck = setTimeout(() => { console.error('claude said nothing more'); agent.kill('SIGKILL') }, 120000)

const send = message => agent.stdin.write(JSON.stringify(message) + '\n')
const reply = (id, response) => send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })

async function next(wanted) {
  for (;;) {
    const { value, done } = await lines.next()
    assert.ok(!done, 'claude ended')
    const message = JSON.parse(value)
    if (wanted(message)) return message
  }
}

// One turn: says `prompt`, answers what is asked by `decide`, and gives back all that was shown.
async function turn(prompt, decide) {
  const seen = { deltas: '', asked: [], results: [] }

  send({ type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null, uuid: randomUUID() })
  await next(m => {
    if (m.type === 'stream_event') seen.deltas += m.event.delta?.text ?? ''
    if (m.type === 'user' && Array.isArray(m.message.content)) seen.results.push(...m.message.content)
    if (m.type === 'control_request') {
      seen.asked.push(m.request.tool_name)
      reply(m.request_id, decide(m.request))
    }
    if (m.type === 'result') seen.result = m
    return m.type === 'result'
  })
  assert.equal(seen.result.is_error, false, JSON.stringify(seen.result))
  return seen
}

send({ type: 'control_request', request_id: 'r1', request: { subtype: 'initialize' } })
const ready = await next(m => m.type === 'control_response' && m.response.request_id === 'r1')
assert.equal(ready.response.subtype, 'success')

const said = await turn('say:5')
assert.equal(said.deltas.trim(), 'alpha bravo charlie delta echo')

const allowed = await turn('bash:touch allowed ;; echo:after', request => ({ behavior: 'allow', updatedInput: request.input }))
assert.deepEqual(allowed.asked, ['Bash'])
assert.ok(existsSync('allowed'))
assert.equal(allowed.deltas, 'after')

const denied = await turn('bash:touch denied', () => ({ behavior: 'deny', message: 'not today' }))
assert.ok(!existsSync('denied'))
assert.match(denied.deltas, /not today/)

const answered = await turn('ask', request => {
  const answers = Object.fromEntries(request.input.questions.map(q => [q.question, q.options[0].label]))
  return { behavior: 'allow', updatedInput: { ...request.input, answers } }
})
assert.deepEqual(answered.asked, ['AskUserQuestion'])
assert.match(JSON.stringify(answered.results), /Red/)

agent.stdin.end()
const code = await new Promise(resolve => agent.on('exit', resolve))
clearTimeout(stuck)
assert.equal(code, 0)
console.log('direct: text, an allowed and a denied tool, and a question')
