// script_test.mjs -- the script language, table by table, and one conversation with the stand-in itself.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { answersOf, play, scriptIn } from './script.mjs'

const call = { tools: ['Bash', 'Agent', 'TaskCreate'], images: ['image/png'], said: ['echo:a', 'recall'], planFile: '/p/plans/x.md', attempt: () => 0 }
const names = prompt => scriptIn(prompt)?.map(s => s.name).join(' ') ?? null
const textOf = answer => answer.blocks.filter(b => b.deltas).map(b => b.deltas.join('')).join('|')

const SCRIPTS = [
  ['one step', 'say:3', 'say'],
  ['steps', 'say:2 ;; bash:ls -l ;; say:1', 'say bash say'],
  ['a script with a broken step: what can be read at its end', 'say:2 ;; sing ;; read:x', 'read'],
  ['a command with a semicolon', 'bash:a; b ;; say:1', 'bash say'],
  ['at the end of a line', 'please say:3', 'say'],
  ['on the last line', 'first line\nmarkdown', 'markdown'],
  ['the last line wins', 'hello\nsay:1\necho:x', 'echo'],
  ['no directive', 'note: please', null],
  ['a bare word within a line', 'please markdown', null],
  ['an unknown word', 'sing:3', null],
  ['an inherited name', 'constructor', null],
]
for (const [name, prompt, want] of SCRIPTS) assert.equal(names(prompt), want, name)

const ANSWERS = [
  ['text joins the tool after it', 'say:1 ;; bash:ls ;; say:2', ['say bash', 'say']],
  ['tools stand alone', 'bash:a ;; read:b', ['bash', 'read']],
  ['text alone', 'say:1 ;; echo:x', ['say echo']],
]
for (const [name, script, want] of ANSWERS) {
  assert.deepEqual(answersOf(scriptIn(script)).map(a => a.map(s => s.name).join(' ')), want, name)
}

const one = script => play(scriptIn(script), call)
assert.equal(textOf(one('say:3 words=2')), 'alpha bravo charlie ')
assert.equal(one('say:3 words=2').blocks[0].deltas.length, 2)
assert.equal(one('say:3 delay=7').pace, 7)
assert.equal(textOf(one('pace:3 rate=7')), 'alpha hotel mk?z')
assert.equal(one('pace:3 rate=7').rate, 7)
assert.equal(textOf(one('big:10000')).length, 10000)
assert.equal(textOf(one('images')), 'images: 1 image/png')
assert.equal(textOf(one('recall')), 'I remember: echo:a | recall')
assert.equal(one('err:529').status, 529)
assert.equal(one('err:529*0').status, undefined)
assert.deepEqual(one('edit:/f|a|b').blocks[0].input, { file_path: '/f', old_string: 'a', new_string: 'b' })
assert.deepEqual(one('write:/f=a\\nb').blocks[0].input, { file_path: '/f', content: 'a\nb' })
assert.equal(one('agent:say:1 ,, bash:ls').blocks[0].input.prompt, 'say:1 ;; bash:ls')
assert.equal(one('tool:Grep {"pattern":"x y"}').blocks[0].input.pattern, 'x y')
assert.deepEqual(one('echo:hi ;; ask').blocks.map(b => b.type), ['text', 'tool_use'])

// ---- over HTTP -----------------------------------------------------------------------------
async function withDouble(name, use) {
  const api = spawn(process.execPath, [fileURLToPath(new URL(name, import.meta.url))], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(api.stdout.setEncoding('utf8'), 'data')
    await use(JSON.parse(line).base_url)
  } finally {
    api.kill()
  }
}

await withDouble('messages_api.mjs', async base => {
  const post = (path, body) => fetch(base + path, { method: 'POST', body: JSON.stringify(body) })
  const user = content => ({ role: 'user', content })
  const ask = async messages => (await post('/v1/messages', { model: 'm', max_tokens: 9, tools: [{ name: 'Bash' }], messages })).json()

  const first = await ask([user('echo:hi ;; bash:ls')])
  assert.equal(first.stop_reason, 'tool_use')
  assert.equal(first.content[1].input.command, 'ls')
  const result = user([{ type: 'tool_result', tool_use_id: first.content[1].id, content: 'a file' }])
  const last = await ask([user('echo:hi ;; bash:ls'), { role: 'assistant', content: first.content }, result])
  assert.equal(last.content[0].text, 'done: 1 tool result(s): a file')
  const steered = user([...result.content, { type: 'text', text: 'hurry up' }])
  const on = await ask([user('bash:ls ;; echo:on'), { role: 'assistant', content: first.content }, steered])
  assert.equal(on.content[0].text, 'on')
  assert.equal((await ask([user('hello')])).content[0].text, 'You said: hello')

  assert.equal((await ask([user('err:500*1')])).type, 'error')
  assert.equal((await ask([user('err:500*1')])).content[0].text, 'recovered after 1')

  const sse = await (await post('/v1/messages', { model: 'm', stream: true, messages: [user('think:2')] })).text()
  const events = [...sse.matchAll(/^event: (\w+)$/gm)].map(m => m[1])
  assert.deepEqual(events.filter(e => e !== 'content_block_delta'), ['message_start', 'ping', 'content_block_start',
    'content_block_stop', 'content_block_start', 'content_block_stop', 'message_delta', 'message_stop'])
  const title = await post('/v1/messages', { system: 'Write a title', messages: [user('hello')] })
  assert.match((await title.json()).content[0].text, /title/)
  const count = await post('/v1/messages/count_tokens', { messages: [user('hello')] })
  assert.ok((await count.json()).input_tokens > 0)
  assert.equal((await fetch(base + '/nowhere')).status, 404)
  assert.ok((await (await fetch(base + '/__requests')).json()).length > 6)
})

await withDouble('other_apis.mjs', async base => {
  const post = async (path, body) => (await fetch(base + path, { method: 'POST', body: JSON.stringify(body) })).text()
  const script = 'In words a person could say.\necho:hi ;; bash:ls'

  const messages = [{ role: 'user', content: script }], tools = [{ type: 'function', function: { name: 'bash' } }]
  const chat = await post('/v1/chat/completions', { stream: true, tools, messages })
  assert.match(chat, /"content":"hi"[^]*"name":"bash","arguments":"{\\"command\\":\\"ls\\"[^]*"finish_reason":"tool_calls"/)
  const behind = [...messages, { role: 'assistant', content: 'hi' }, { role: 'tool', content: 'a file' }]
  assert.match(await post('/v1/chat/completions', { stream: true, tools, messages: behind }), /done: 1 tool result\(s\): a file/)
  assert.match(await post('/v1/chat/completions', { stream: true, messages }), /"content":"ok"/)

  const contents = [{ role: 'user', parts: [{ text: script }] }]
  const functions = [{ functionDeclarations: [{ name: 'run_shell_command' }] }]
  const model = '/v1beta/models/m:'
  assert.match(await post(model + 'streamGenerateContent?alt=sse', { contents, tools: functions }),
    /"text":"hi"[^]*"functionCall":{"id":"call_[0-9_]+","name":"run_shell_command","args":{"command":"ls"[^]*"finishReason":"STOP"/)
  const schema = { type: 'OBJECT', properties: { score: { type: 'INTEGER' } } }
  const beside = JSON.parse(await post(model + 'generateContent', { contents, generationConfig: { responseJsonSchema: schema } }))
  assert.deepEqual(JSON.parse(beside.candidates[0].content.parts[0].text), { score: 0 })
})
console.log('script_test: all as the tables say')
