import { describe, expect, test } from 'vitest'
import { readSettings } from '#server/env.ts'

const hosted = { PUBLIC_URL: 'https://docket.example', SMTP_URL: 'smtp://mail.example' }

describe('settings', () => {
  test('nothing set: this machine, its folder, the development mailbox', () => {
    expect(readSettings({})).toEqual({
      settings: {
        host: 'localhost',
        port: 8080,
        dataDir: expect.stringMatching(/data$/),
        publicUrl: 'http://localhost:8080',
        apiPublicUrl: 'http://localhost:8080',
        corsOrigins: [],
        trustProxy: 0,
        databaseUrl: undefined,
        databaseMigrationUrl: undefined,
        smtpUrl: undefined,
        mailFrom: 'Docket <no-reply@localhost>',
      },
    })
  })

  test('hosted: everything from the environment', () => {
    const read = readSettings({
      ...hosted,
      PORT: '3000',
      API_PUBLIC_URL: 'https://api.docket.example/',
      CORS_ORIGINS: 'https://docket.example, https://www.docket.example',
      TRUST_PROXY: '1',
      DATABASE_URL: 'postgresql://app@db/docket',
      DATABASE_MIGRATION_URL: 'postgresql://owner@db/docket',
      MAIL_FROM: 'Docket <mail@docket.example>',
    })
    expect(read).toMatchObject({
      settings: {
        host: '0.0.0.0',
        port: 3000,
        apiPublicUrl: 'https://api.docket.example',
        corsOrigins: ['https://docket.example', 'https://www.docket.example'],
        trustProxy: 1,
        mailFrom: 'Docket <mail@docket.example>',
      },
    })
  })

  test.each([
    ['PORT', { PORT: 'x' }],
    ['PORT', { PORT: '70000' }],
    ['PORT', { PORT: '0' }],
    ['PORT', { PORT: ' ' }],
    ['PORT', { PORT: '0x1F' }],
    ['HOST', { HOST: 'foo bar' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://' }],
    ['API_PUBLIC_URL', { API_PUBLIC_URL: 'http://api.example' }],
    ['PUBLIC_URL', { ...hosted, PUBLIC_URL: 'docket.example' }],
    ['PUBLIC_URL', { ...hosted, PUBLIC_URL: 'https://docket.example/app' }],
    ['PUBLIC_URL', { ...hosted, PUBLIC_URL: 'http://docket.example' }],
    ['SMTP_URL', { PUBLIC_URL: 'https://docket.example' }],
    ['SMTP_URL', { SMTP_URL: 'mail.example' }],
    ['API_PUBLIC_URL', { API_PUBLIC_URL: 'ftp://x' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://a.example,b' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'yes' }],
    ['TRUST_PROXY', { TRUST_PROXY: '-1' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
    ['DATABASE_MIGRATION_URL', { DATABASE_MIGRATION_URL: 'postgres://x/y' }],
    ['MAIL_FROM', { MAIL_FROM: 'nobody' }],
    ['MAIL_FROM', { MAIL_FROM: 'a@b.org\r\nBcc: c@d.org' }],
    ['HOST', { HOST: '0.0.0.0' }],
  ])('a bad %s is one line that names it', (name, environment) => {
    const read = readSettings(environment)
    expect(read).toEqual({ problem: expect.stringMatching(new RegExp(`^${name} .+`)) })
    expect('problem' in read && read.problem).not.toContain('\n')
  })
})
