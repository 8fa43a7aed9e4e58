/* limits.h -- every maximum of the house in one list (bytes unless the name says otherwise).
 *
 * A buffer is born with one of these, so input from outside can never make memory grow without
 * end. A limit that the protocol promises carries the section of doc/wire.md. */
#ifndef VY_LIMITS_H
#define VY_LIMITS_H

#define VY_KIB (1024)
#define VY_MIB (1024 * 1024)

#define VY_ID_MAX            256             /* author, message, tool ids: wire 3 */
#define VY_FRAME_MAX         (256 * VY_KIB)  /* one frame, encoded: wire 3 */
#define VY_FRAME_TEXT_MAX    (64 * VY_KIB)   /* text of a delta, block or message: wire 3, 11 */
#define VY_FRAME_B64_MAX     (88 * VY_KIB)   /* 64 KiB of a terminal as base64 */
#define VY_DETAIL_MAX        (4 * VY_KIB)    /* an ask's detail inside a frame: wire 6 */
#define VY_LINE_MAX          (32 * VY_MIB)   /* a line from an agent: wire 12 */
#define VY_RPC_BODY_MAX      (16 * VY_MIB)   /* one request: wire 2 */
#define VY_RPC_BATCH_MAX     50              /* calls in a batch: wire 2 */
#define VY_RPC_ANSWER_MAX    (64 * VY_MIB)   /* one answer, a snapshot among them */
#define VY_WS_MESSAGE_MAX    (1 * VY_MIB)    /* one message to a viewer: wire 4 */
#define VY_SEND_TEXT_MAX     (8 * VY_MIB)    /* a person's message: wire 2 */
#define VY_PUT_B64_MAX       (8 * VY_MIB)    /* an image put, as base64: wire 2 */
#define VY_IMAGES_MAX        500             /* images a session holds */
#define VY_SAY_IMAGES_MAX    (12 * VY_MIB)   /* images of one message together */
#define VY_DRAFT_MAX         (12 * VY_MIB)   /* a draft on the server */
#define VY_QUEUE_MAX         200             /* waiting messages of a session: wire 2 */
#define VY_QUEUE_BYTES_MAX   (32 * VY_MIB)   /* of their texts together */
#define VY_SPOOL_MEM         (1 * VY_MIB)    /* holder: in memory first: wire 12 */
#define VY_SPOOL_MAX         (256 * VY_MIB)  /* holder: then in a file: wire 12 */
#define VY_HOLD_MSG_MAX      (33 * VY_MIB)   /* one holder message */
#define VY_HOLD_WINDOW       (1 * VY_MIB)    /* a holder sends this far ahead of its reader */
#define VY_HOLD_IN_WINDOW    (4 * VY_MIB)    /* input on its way that no INACK came for */
#define VY_HOLD_IN_MAX       (64 * VY_MIB)   /* input that waits for a child which does not read */
#define VY_ARGV_MAX          (1 * VY_MIB)    /* a child's arguments */
#define VY_SECRET_MAX        (4 * VY_KIB)    /* to a child's fd 3: fits any pipe at once */
#define VY_TERMS_MAX         64              /* terminals at once; those that ended go first */
#define VY_TERMS_SESSION_MAX 16              /* … of one session */
#define VY_TERM_KEEP_BYTES   (1 * VY_MIB)    /* printed between two checkpoints: wire 10 */
#define VY_TERM_PROLOGUE_MAX (64 * VY_MIB)   /* a screen as bytes: 1000x1000, all cells styled */
#define VY_TERM_AFTER_MS     (3600 * 1000LL) /* one that ended can be attached: wire 15 */
#define VY_RING_FRAMES       50000           /* frames kept of a session: wire 7 */
#define VY_RING_BYTES        (64 * VY_MIB)   /* bytes kept of a session: wire 7 */
#define VY_LOGS_BYTES        (2048LL * VY_MIB) /* of all sessions' frames as stored: wire 7 */
#define VY_RING_MEM_FRAMES   32768             /* newest frames of a session in memory */
#define VY_RING_MEM_BYTES    (8 * VY_MIB)      /* the same in bytes */
#define VY_RINGS_MEM_BYTES   (32 * VY_MIB)     /* of all sessions while there is work */
#define VY_RINGS_MEM_QUIET   (256 * VY_KIB)    /* of all sessions when all is quiet */
#define VY_STAGED_MAX        (64 * VY_MIB)     /* waiting for a commit that fails */
#define VY_PEER_UNSENT_MAX   (1 * VY_MIB)      /* unsent bytes before live stops: wire 4 */
#define VY_BATCH_BYTES       (64 * VY_KIB)     /* frames joined in one message: wire 4 */
#define VY_STDERR_TAIL       (64 * VY_KIB)     /* kept of a child's stderr */
#define VY_JSON_DEPTH        64                /* nesting of any JSON from outside */
#define VY_SOCK_PATH_MAX     100               /* a longer socket path moves to /tmp: wire 1 */
#define VY_ENV_MAX           (256 * VY_KIB)    /* a child's environment */
#define VY_TICKET_LIFE_MS    15000             /* wire 4 */
#define VY_HEARTBEAT_MS      25000             /* wire 4 */
#define VY_DEAD_MS           70000             /* without a byte a connection is dead: wire 4 */
#define VY_LATE_MS           2000  /* to agree that a stream is over at the end: wire 13 */
#define VY_HELLO_MS          30000 /* for an agent to answer `initialize`: wire 15 */
#define VY_KEY_LIFE_MS       (24 * 3600 * 1000LL) /* an idempotency key: wire 2 */

#endif
