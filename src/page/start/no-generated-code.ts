// The schema library generates code where it may. The CSP allows none, and its asking would already be reported as a violation, so it is
// told before it is loaded: it takes its settings from this global, which `config()` of zod would only reach once schemas exist.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

export {}
