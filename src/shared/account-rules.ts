// What a name, an email and a password must be: asked by the forms while typing and by the contract on the server. Null means fine.

const passwordMinimum = 8
const passwordMaximum = 256

export function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'Enter your name'
  return name.length > 200 ? 'At most 200 characters' : null
}

/** Deliberately lenient: the mail that arrives is the real proof. Non-ASCII local parts are left to the mail server. */
export function emailProblem(email: string): string | null {
  const trimmed = email.trim()
  if (trimmed === '') return 'Enter your email'
  if (trimmed.length > 254) return 'At most 254 characters'
  // What nobody sees, or what turns around how the rest is read.
  if (/\p{Cf}/u.test(trimmed)) return 'Contains a character that cannot be used'
  const parts = /^[^\s@"(),:;<>[\\\]]+@(.+)$/.exec(trimmed)
  return parts && isDomain(parts[1]!) ? null : 'Enter an email such as name@example.com'
}

export function passwordProblem(password: string): string | null {
  if (password === '') return 'Enter a password'
  if (password.length < passwordMinimum) return `At least ${passwordMinimum} characters`
  return password.length > passwordMaximum ? `At most ${passwordMaximum} characters` : null
}

/** The form in which two spellings of one address are the same account: the domain as the mail system writes it (RFC 5891). */
export function emailKey(email: string): string {
  const [, local = '', domain = ''] = /^(.*?)(?:@([^@]*))?$/s.exec(email.trim().normalize('NFC').toLowerCase()) ?? []
  return domain === '' ? local : `${local}@${asciiDomain(domain) ?? domain}`
}

/** Labels between dots; nothing that would end a host's name in an address. */
function isDomain(text: string): boolean {
  return /^[^\s@."(),:;<>[\\\]/?#%^|`{}]+(\.[^\s@."(),:;<>[\\\]/?#%^|`{}]+)*$/.test(text)
}

/** Null for what is no domain. */
function asciiDomain(domain: string): string | null {
  if (!isDomain(domain)) return null
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return null
  }
}
