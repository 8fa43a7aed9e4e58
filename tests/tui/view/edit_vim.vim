" edit_vim.vim -- what vim itself makes of the rows of $ROWS, into $OUT: see tests/vim_test.sh.
set nocompatible encoding=utf-8 shiftwidth=4 expandtab noautoindent nojoinspaces belloff=all
let s:out = []
let s:bad = 0

func s:Keys(k)
	return substitute(a:k, '<\([A-Z][A-Za-z-]*\)>', '\=eval("\"\\<" . submatch(1) . ">\"")', 'g')
endfunc

func s:Row(line)
	let [name, text, keys, want] = split(a:line, "\t", 1)
	let lines = split(substitute(text, '\\t', "\t", 'g'), '\\n', 1)
	enew!
	set undolevels=1000
	let @" = ''
	let n = 0
	for l in lines
		let n += 1
		let c = stridx(l, '|')
		if c >= 0
			let at = [n, c + 1]
		endif
	endfor
	let old = &undolevels
	set undolevels=-1
	call setline(1, map(lines, "substitute(v:val, '|', '', '')"))
	let &undolevels = old
	call cursor(at)
	let k = s:Keys(keys)
	silent! call feedkeys(k . "\<Esc>", 'xt')
	let got = getline(1, '$')
	let c = col('.') - 1
	let l = line('.') - 1
	let got[l] = strpart(got[l], 0, c) . '|' . strpart(got[l], c)
	let is = substitute(join(got, '\n'), "\t", '\\t', 'g')
	call add(s:out, join([name, text, keys, is], "\t"))
	if is !=# want
		let s:bad += 1
	endif
endfunc

for s:line in readfile($ROWS)
	if s:line =~ '^[#!]' || s:line == ''
		call add(s:out, s:line)
	else
		call s:Row(s:line)
	endif
endfor
call writefile(s:out, $OUT)
if s:bad
	cquit
endif
qall!
