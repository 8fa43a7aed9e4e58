import hashlib, json, sqlite3, struct, sys
n = lambda v: struct.pack(">q", v)
s = lambda v: n(len(v)) + v
prev, seq = bytes(32), 0
for r in sqlite3.connect(sys.argv[1]).execute("SELECT seq, session, id, type, time, actor, chain, subject, turn, step, data, data_hash, prev, hash FROM journal ORDER BY seq"):
    texts = [r[1], r[2], r[3], r[5], r[6], r[7], r[8]]
    of = s(prev) + n(r[0]) + n(r[4]) + n(r[9]) + b"".join(s(t.encode()) for t in texts) + s(r[11])
    assert r[0] == seq + 1 and r[12] == prev and r[13] == hashlib.sha256(of).digest(), r
    if r[10] is not None:
        assert r[11] == hashlib.sha256(r[10].encode()).digest(), r
        assert r[10] == json.dumps(json.loads(r[10]), sort_keys=True, separators=(",", ":"), ensure_ascii=False), r
    prev, seq = r[13], r[0]
print(seq, "rows")
