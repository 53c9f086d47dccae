// The linter's rules, and the finer walls between the rooms as one table; the compiler holds the coarse ones (tsconfig references).
import { defineConfig } from 'oxlint'

type Ban = ({ regex: string; importNames?: string[] } | { group: string[] }) & { message: string }

/** Says which room a path may not reach, as a regular expression over the written import. */
const ban = (regex: string, message: string): Ban => ({ regex, message })

/** Everything that matches, but for the exceptions; globs, because the linter's regular expressions know no "all but". */
const banBut = (everything: string[], exceptions: string[], message: string): Ban => ({
  group: [...everything, ...exceptions.map((each) => `!${each}`)],
  message,
})

/** Nothing but what is named. */
const only = (allowed: string[], message: string): Ban => banBut(['*', '**/*'], allowed, message)

const everywhere = [
  ban('^\\.\\./', 'Name the room you enter: `#shared/...`, `#page/...`; inside a folder `./x.ts`.'),
  ban('^\\./.*/\\.\\./', 'Name the room you enter: `#shared/...`, `#page/...`; inside a folder `./x.ts`.'),
]
const noPage = ban('^#page/', 'Only the page imports the page.')
const noServer = ban('^#server/', 'Only the server imports the server: page and worker speak to it by calls.')
const noWorker = ban(
  '^#worker/',
  'Only page/start may enter the worker (without-worker), to run it in the page when no worker controls it.',
)
const noNode = ban('^node:', 'This runs in a browser, where Node is not.')
const noReact = ban('^(react|react-dom|@tanstack|@base-ui|sonner|lucide-react)(/|$)', 'Only the page draws.')
const noTools = ban('^#(tests|tools)/', 'The product does not import its tests or tools.')

const browser = [
  noServer,
  noNode,
  noTools,
  ban('^(hono|kysely|pg|jose|pino)(/|$)|^@hono/', 'That is a library of the server.'),
]
const page: Ban[] = [
  ...browser,
  {
    ...ban('^react$', 'page/lazily: a `lazy` of React whose file could not be had once takes the whole app away.'),
    importNames: ['lazy'],
  },
]

/** A room of the server's ground, and what of it the room may build on. */
const ground = (room: string, on: string[]) => ({
  from: [`src/server/${room}/**`],
  bans: [
    noPage,
    noWorker,
    noTools,
    noReact,
    banBut(
      ['#server/*/**'],
      on.map((each) => `#server/${each}/**`),
      'The ground knows no resource, and nothing that stands on it.',
    ),
    ban('^#server/app\\.ts$', 'The app knows what it is made of, not the other way round.'),
  ],
})

/** From a room (globs) to what it may not import. The last row that fits a file is the one that counts. */
const walls: { from: string[]; bans: Ban[] }[] = [
  {
    from: ['src/shared/**'],
    bans: [
      noPage,
      noWorker,
      noServer,
      noTools,
      only(['zod', '#shared/**', './**'], 'The shared ground imports the schema library only.'),
    ],
  },
  {
    from: ['src/documents/**'],
    bans: [
      noPage,
      noWorker,
      noServer,
      noTools,
      only(
        [
          'xmlbuilder2',
          'pdfkit',
          'pdfkit/output',
          'fflate',
          'bidi-js',
          'uqr',
          'papaparse',
          '#shared/**',
          '#documents/**',
          './**',
        ],
        'A document is made from shared rules and the libraries of its format, the same on server and device.',
      ),
    ],
  },
  { from: ['src/page/**', 'src/main.tsx'], bans: [...page, noWorker] },
  { from: ['src/page/start/boot.ts', 'src/page/start/without-worker.ts'], bans: page },
  { from: ['src/page/lazily.ts'], bans: [...browser, noWorker] },
  {
    from: ['src/page/ui/**'],
    bans: [
      ...page,
      noWorker,
      banBut(['#page/**'], ['#page/ui/**'], 'The design system knows nothing of the product: only shared and page/ui.'),
      ban('^@tanstack/react-(query|form)', 'The design system has no data and no form state: take values as props.'),
    ],
  },
  {
    from: ['src/page/features/**'],
    bans: [
      ...page,
      noWorker,
      ban('^#page/features/', 'A feature never imports another feature: compose them in a route.'),
      ban('^#page/(routes/|router|route-tree)', 'A feature does not know the routes it is shown on.'),
    ],
  },
  {
    from: ['src/worker/**', 'src/sw.ts'],
    bans: [
      noPage,
      noServer,
      noNode,
      noTools,
      noReact,
      only(
        ['workbox-precaching', 'idb', 'idb-keyval', '#shared/**', '#worker/**', './**'],
        'The worker stays small: workbox-precaching, idb and idb-keyval only.',
      ),
    ],
  },
  { from: ['src/server/**', 'src/server.ts'], bans: [noPage, noWorker, noTools, noReact] },
  {
    from: ['src/server/*/**'],
    bans: [
      noPage,
      noWorker,
      noTools,
      noReact,
      banBut(
        ['#server/*/**'],
        ['#server/{db,http,rows,outgoing,mail,jobs}/**'],
        'A resource never imports another resource: what both need lies in a room of the ground (http, rows, outgoing, mail, jobs, db).',
      ),
      ban('^#server/app\\.ts$', 'The app knows its resources, not the other way round.'),
    ],
  },
  // The ground under the resources, lowest last: none of it knows a resource, and the database knows nothing.
  ground('outgoing', ['db', 'http', 'rows', 'mail', 'jobs', 'outgoing']),
  ground('{http,rows}', ['db', 'http', 'rows', 'jobs']),
  ground('{mail,jobs}', ['db', 'http', 'mail', 'jobs']),
  ground('db', ['db']),
]

const restricted = (patterns: Ban[]): ['error', { patterns: Ban[] }] => ['error', { patterns }]

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise', 'vitest'],
  categories: { correctness: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist', 'data', '.cache', 'src/page/route-tree.gen.ts'],
  rules: {
    eqeqeq: 'error',
    'no-console': 'error',
    'no-control-regex': 'off',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'no-restricted-imports': restricted(everywhere),
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    // A redirect is thrown in the router, which is no Error by its makers' design.
    'typescript/only-throw-error': [
      'error',
      { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
    ],
    // Interfaces here are written with method shorthand and implemented by closures, which have no `this` to lose.
    'typescript/unbound-method': 'off',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/restrict-template-expressions': [
      'error',
      {
        allowNumber: true,
        allow: [
          { name: 'bigint', from: 'lib' },
          { name: 'URLSearchParams', from: 'lib' },
        ],
      },
    ],
    // The document's keys and pointers are watched where a whole region answers them; links and buttons stay the targets.
    'jsx-a11y/no-noninteractive-element-interactions': 'off',
    'react/exhaustive-deps': 'error',
    'react/rules-of-hooks': 'error',
    // It takes any method that is not spelled out for GET.
    'unicorn/no-invalid-fetch-options': 'off',
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expectProblem', 'expectSame*'] }],
    // One table of cases for two engines may ask one more thing of one of them.
    'vitest/no-conditional-expect': 'off',
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',
  },
  overrides: [
    ...walls.map(({ from, bans }) => ({
      files: from,
      rules: { 'no-restricted-imports': restricted([...everywhere, ...bans]) },
    })),
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['tools/**', 'bench/**', 'tests/soak/run.ts', 'tests/soak-outbox/run.ts', 'tests/browser/faults/run.ts'],
      rules: { 'no-console': 'off' },
    },
  ],
})
