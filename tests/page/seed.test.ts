// The constants and views of the seed that need no browser.
import { readFileSync } from 'node:fs'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { toast } from 'sonner'
import { afterEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '#page/query-client.ts'
import { GenericErrorView } from '#page/views.tsx'
import { Toaster, show } from '#page/ui/toaster.tsx'
import { ProblemError } from '#shared/problem.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('the error views and the not-found view', async () => {
  const generic = renderToString(createElement(GenericErrorView, { error: new Error('the message') }))
  expect(generic).toContain('Something went wrong!')
  expect(generic).toContain('Show Error')
  expect(generic).not.toContain('the message')
  const { text } = await import('#page/words/text.ts')
  expect(text.errors).toMatchObject({ title: 'Error', notFound: 'Not Found', show: 'Show Error', hide: 'Hide Error' })
  const { createAppRouter } = await import('#page/router.tsx')
  const { ErrorView, NotFoundView } = await import('#page/views.tsx')
  const { options } = createAppRouter({
    queryClient: new QueryClient(),
    paintCache: { open: async () => {}, seal() {} },
  })
  expect(options).toMatchObject({ defaultErrorComponent: ErrorView, defaultNotFoundComponent: NotFoundView })
})

test('toasts come in the five types of the seed', () => {
  for (const type of ['success', 'info', 'warning', 'error', 'loading'] as const) {
    const made = vi.spyOn(toast, type).mockReturnValue(1)
    show(type, `a ${type}`)
    expect(made).toHaveBeenCalledWith(`a ${type}`, undefined)
  }
})

test('the toast area has the constants of the seed', () => {
  const around = Toaster({ theme: 'dark', label: 'Notifications' }) as { props: { children: { props: object } } }
  expect(around.props.children.props).toMatchObject({
    theme: 'dark',
    position: 'top-center',
    richColors: true,
    visibleToasts: 3,
    duration: 4000,
    gap: 14,
    offset: 24,
    mobileOffset: 16,
  })
  // Width, swipe threshold and removal are the library's own: a new version that changes them is noticed here.
  const library = readFileSync(new URL('../../node_modules/sonner/dist/index.mjs', import.meta.url), 'utf8')
  for (const constant of ['TOAST_WIDTH = 356', 'SWIPE_THRESHOLD = 45', 'TIME_BEFORE_UNMOUNT = 200'])
    expect(library).toContain(constant)
})

test('the preload margin is the router’s own 100 px', () => {
  const library = readFileSync(
    new URL('../../node_modules/@tanstack/react-router/dist/esm/link.js', import.meta.url),
    'utf8',
  )
  expect(library).toContain('rootMargin: "100px"')
})

test('the data cache has the constants of the seed', () => {
  const queries = () => createQueryClient().getDefaultOptions().queries!
  const retry = (failures: number, error: Error = new ProblemError('unavailable')) =>
    (queries().retry as (failures: number, error: Error) => boolean)(failures, error)
  const delay = queries().retryDelay as (failures: number, error: Error) => number
  expect([0, 1, 2, 3, 4, 5, 9].map((failures) => delay(failures, new Error()))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ])
  expect(queries().gcTime).toBe(5 * 60_000)
  expect(retry(0)).toBe(false)
  vi.stubGlobal('window', {})
  expect([0, 1, 2, 3].map((failures) => retry(failures))).toEqual([true, true, true, false])
  expect(retry(0, new ProblemError('not_found'))).toBe(false)
})

test('a call waits as long as it takes, and can be cancelled', async () => {
  const requests: Request[] = []
  vi.stubGlobal('location', { origin: 'http://localhost:8080' })
  vi.stubGlobal('navigator', { serviceWorker: { controller: {} } })
  vi.stubGlobal(
    'fetch',
    (request: Request) =>
      new Promise((_, reject) => {
        requests.push(request)
        request.signal.addEventListener('abort', () => reject(request.signal.reason as Error))
      }),
  )
  vi.useFakeTimers()
  const { call } = await import('#page/api.ts')
  const leaving = new AbortController()
  let settled = false
  const waiting = call('getAccount', { signal: leaving.signal }).finally(() => (settled = true))
  waiting.catch(() => {})
  await vi.advanceTimersByTimeAsync(24 * 60 * 60_000)
  expect({ settled, requests: requests.length }).toEqual({ settled: false, requests: 1 })
  leaving.abort()
  vi.useRealTimers()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
})
