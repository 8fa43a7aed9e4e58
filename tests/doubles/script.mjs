// script.mjs -- the script language of our stand-in: what a prompt tells it to answer. Pure.
//
// A prompt that ends with steps, joined by " ;; ", is a script; the newest one counts. The first
// answer after it plays step 1, the next (when the tool results are back) step 2, and so on; after
// the last the model says "done: K tool result(s): <the last one, cut>" and ends its turn. Text
// steps join the step that follows them, so "say:3 ;; bash:ls ;; say:2" makes two answers.
// A prompt without steps is answered "You said: <prompt>". Text in <system-reminder> is not read.
//
//   say:N [words=W] [delay=MS]   N words, W in a delta          echo:TEXT     exactly TEXT
//   markdown                     headings, list, table, code    big:BYTES     in deltas of 4 KiB
//   think[:N] [delay=MS]         N thinking deltas, then text   slow:SECONDS  a word every 200 ms
//   pace:N [rate=R]              N words, R a second by the clock (100); each 50th tells when it was sent
//   images                       how many images came along     hang[:SECONDS]  a start, then nothing
//   recall                       the person's words that it was asked with, in order
//   drop                         the connection ends mid-text   maxtokens, refuse   end so
//   err:STATUS[*TIMES] [retry=S] an HTTP error, for ever or TIMES times
//   bash:CMD  bashbg:CMD  read:PATH  write:PATH[=TEXT]  edit:PATH|OLD|NEW  todo  ask
//   plan[:TEXT]  planfile[:TEXT]  agent[:SCRIPT]  agentbg  agentfg  multi  multi2
//   tool:NAME {JSON}             any tool at all
// In an agent's SCRIPT " ,, " stands for " ;; ".

const ALPHABET = `alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november
  oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu`.split(/\s+/)

const MARKDOWN = `# A heading

Plain, *emphasis*, **strong**, \`code\` and a [link](https://example.invalid/).

1. first
2. second
   - nested

| word | 日本語 | emoji |
|------|--------|-------|
| cell | 表     | 🙂    |

\`\`\`c
int main(void) { return 0; }
\`\`\`

> a quote
`

const PLAN = '# Plan\n\n1. Look\n2. Change\n3. Test\n'

export const text = (...deltas) => ({ type: 'text', deltas })
const thinking = deltas => ({ type: 'thinking', deltas })
const use = (name, input) => ({ type: 'tool_use', name, input })
const tools = (...blocks) => ({ blocks, stop: 'tool_use' })

const words = n => Array.from({ length: n }, (_, i) => ALPHABET[i % ALPHABET.length] + ' ')
const pieces = (list, size) => Array.from({ length: Math.ceil(list.length / size) },
  (_, i) => list.slice(i * size, (i + 1) * size))
// A reply of N words with what a reply has; CLOCK stands where the time of sending goes.
export const CLOCK = 'mk?z'
function paced(n) {
  const dress = (w, i) => i % 50 === 0 || i === n ? CLOCK : i % 31 === 0 ? `**${w}**` : i % 47 === 0 ? `\`${w}\`` : w
  const behind = i => i === n ? '' : i % 120 === 0 ? '\n\n' : i % 400 === 0 ? '\n\n- ' : ' '
  return Array.from({ length: n }, (_, i) => dress(ALPHABET[i * 7 % ALPHABET.length], i + 1) + behind(i + 1))
}
const lines = s => s.replaceAll('\\n', '\n')

function cut(s, mark) {
  const at = s.indexOf(mark)
  return at < 0 ? [s, undefined] : [s.slice(0, at), s.slice(at + mark.length)]
}

function subagent(script, call, background) {
  const name = call.tools.includes('Task') && !call.tools.includes('Agent') ? 'Task' : 'Agent'
  return tools(use(name, { description: 'A small errand', subagent_type: 'general-purpose',
    prompt: (script || 'say:5').replaceAll(' ,, ', ' ;; '), ...background }))
}

// Newer agents keep their list by Task* tools, older ones by one TodoWrite.
function todoList(call) {
  const item = (content, status) => ({ content, status, activeForm: `Working on: ${content}` })
  if (call.tools.length === 0 || call.tools.includes('TodoWrite')) {
    return tools(use('TodoWrite', { todos: [item('First step', 'completed'),
      item('Second step', 'in_progress'), item('Third step', 'pending')] }))
  }
  const create = subject => use('TaskCreate', { subject, description: subject, activeForm: `Working on: ${subject}` })
  return tools(create('First step'), create('Second step'),
    use('TaskUpdate', { taskId: '1', status: 'in_progress' }))
}

function question() {
  const options = (...labels) => labels.map(label => ({ label, description: `The choice ${label}` }))
  return tools(use('AskUserQuestion', { questions: [
    { question: 'Which colour should it be?', header: 'Colour', multiSelect: false, options: options('Red', 'Blue') },
    { question: 'Which parts?', header: 'Parts', multiSelect: true, options: options('Door', 'Roof', 'Wall') }] }))
}

function httpError(arg, call, opt) {
  const [status, times] = arg.split('*')
  const failed = call.attempt()
  if (times !== undefined && failed >= Number(times)) return { blocks: [text(`recovered after ${failed}`)] }
  return { blocks: [], status: Number(status) || 500, retryAfter: opt.retry }
}

// Each step: (argument, call, options) -> {blocks, stop?, pace?, rate?, status?, hang?, drop?}.
// `call` is what the request offers: {tools: [names], images, said, planFile, attempt()}.
const STEPS = {
  say: (arg, call, opt) => ({ pace: opt.delay,
    blocks: [text(...pieces(words(parseInt(arg) || 10), Math.max(1, opt.words || 1)).map(w => w.join('')))] }),
  echo: arg => ({ blocks: [text(arg)] }),
  markdown: () => ({ blocks: [text(...pieces([...MARKDOWN], 12).map(c => c.join('')))] }),
  big: arg => ({ pace: 0, blocks: [text(...pieces('x'.repeat(parseInt(arg) || 0), 4096))] }),
  think: (arg, call, opt) => ({ pace: opt.delay,
    blocks: [thinking(words(parseInt(arg) || 8)), text('I thought about it.')] }),
  slow: arg => ({ pace: 200, blocks: [text(...words(Math.ceil((parseFloat(arg) || 5) * 5)))] }),
  pace: (arg, call, opt) => ({ rate: opt.rate || 100, blocks: [text(...paced(parseInt(arg) || 100))] }),
  recall: (arg, call) => ({ blocks: [text(`I remember: ${call.said.join(' | ')}`)] }),
  images: (arg, call) => ({ blocks: [text(`images: ${call.images.length} ${call.images.join(' ')}`)] }),
  hang: arg => ({ blocks: [], hang: (parseFloat(arg) || 3600) * 1000 }),
  drop: () => ({ blocks: [text('half a sent')], drop: true }),
  maxtokens: () => ({ blocks: [text('this text was cut')], stop: 'max_tokens' }),
  refuse: () => ({ blocks: [text('')], stop: 'refusal' }),
  err: httpError,
  bash: arg => tools(use('Bash', { command: arg, description: 'Run a test command' })),
  bashbg: arg => tools(use('Bash', { command: arg, description: 'Run in the background', run_in_background: true })),
  read: arg => tools(use('Read', { file_path: arg })),
  write: arg => {
    const [file, content] = cut(arg, '=')
    return tools(use('Write', { file_path: file, content: lines(content ?? 'line one\\nline two\\nline three\\n') }))
  },
  edit: arg => {
    const [file, from = 'line two', to = 'line 2 (edited)'] = arg.split('|')
    return tools(use('Edit', { file_path: file, old_string: from, new_string: to }))
  },
  todo: (arg, call) => todoList(call),
  ask: question,
  plan: arg => tools(use('ExitPlanMode', { plan: lines(arg) || PLAN })),
  planfile: (arg, call) => tools(use('Write', { file_path: call.planFile, content: lines(arg) || PLAN })),
  agent: (arg, call) => subagent(arg, call),
  agentbg: (arg, call) => subagent(arg, call, { run_in_background: true }),
  agentfg: (arg, call) => subagent(arg, call, { run_in_background: false }),
  multi: () => tools(text('Three things at once.'), use('Bash', { command: 'echo one', description: 'First' }),
    use('Bash', { command: 'echo two', description: 'Second' }), use('Read', { file_path: '/etc/hostname' })),
  multi2: () => tools(use('Bash', { command: 'touch multi-one', description: 'First' }),
    use('Bash', { command: 'touch multi-two', description: 'Second' })),
  tool: arg => {
    const [name, json] = cut(arg, ' ')
    return tools(use(name, json ? JSON.parse(json) : {}))
  },
}

const JOINS_THE_NEXT = new Set(['say', 'echo', 'markdown', 'big', 'think', 'slow', 'pace', 'images', 'recall'])
const HAS_OPTIONS = new Set(['say', 'think', 'err', 'slow', 'pace', 'big', 'hang'])

// "say:3 delay=20" -> {name, arg, opt}; null when the words are no step.
function step(words) {
  const [, name, arg = ''] = /^([a-z]+\d?)(?::([^]*))?$/.exec(words.trim()) ?? []
  if (!Object.hasOwn(STEPS, name ?? '')) return null
  if (!HAS_OPTIONS.has(name)) return { name, arg: arg.trim(), opt: {} }
  const opt = Object.fromEntries([...arg.matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [key, Number(value)]))
  return { name, arg: arg.replace(/\w+=\S+/g, '').trim(), opt }
}

// Where a script may begin: the whole prompt, a line of it, or a "name:" within a line.
function* beginnings(prompt) {
  yield prompt
  for (const line of prompt.split('\n').reverse()) {
    yield line
    for (const { index } of line.matchAll(/\s[a-z]+\d?:/g)) yield line.slice(index + 1)
  }
}

// The steps that a prompt ends with, or null.
export function scriptIn(prompt) {
  for (const candidate of beginnings(prompt.trim())) {
    const steps = candidate.split(/\s+;;\s+/).map(step)
    if (steps.every(Boolean)) return steps
  }
  return null
}

// One list of steps for each answer.
export function answersOf(steps) {
  const answers = [[]]
  for (const [i, one] of steps.entries()) {
    answers.at(-1).push(one)
    if (!JOINS_THE_NEXT.has(one.name) && i < steps.length - 1) answers.push([])
  }
  return answers
}

// The answer that a list of steps makes: the last one says how it ends.
export function play(steps, call) {
  const parts = steps.map(({ name, arg, opt }) => STEPS[name](arg, call, opt))
  return { ...parts.at(-1), kind: steps.at(-1).name, blocks: parts.flatMap(p => p.blocks),
    pace: parts.map(p => p.pace).findLast(p => p !== undefined), rate: parts.map(p => p.rate).findLast(Boolean) }
}
