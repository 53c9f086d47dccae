/** Schemes of electronic addresses (the EAS code list) that EN 16931 and Peppol both know: BR-CL-25, PEPPOL-EN16931-CL008. */
const schemes = new Set(
  (
    '0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191 0192 0193 ' +
    '0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218 0221 0225 0230 0235 0240 ' +
    '9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 ' +
    '9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959'
  ).split(' '),
)

/** Those that stand in the list of EN 16931 alone: an e-mail address, ways of X.400 and AS2, and registers that Peppol does not route to. */
const outsidePeppol = new Set('EM AN AQ AS AU 0219 0220 0242 0244 0245 0246 0248'.split(' '))

/** What is wrong with an electronic address, in words; null when nothing is. `network` is what it is for: Peppol knows fewer schemes. */
export function endpointError(
  endpoint: { scheme: string; id: string },
  network: 'peppol' | 'any' = 'any',
): string | null {
  const { scheme, id } = endpoint
  const isListed = schemes.has(scheme) || (network === 'any' && outsidePeppol.has(scheme))
  if (!isListed) return `${scheme} is no scheme of the official list`
  return isNumberOf(scheme, id) ? null : `${id} is not a number of the scheme ${scheme}`
}

/** Whether a number has the form and the check digits of its scheme (PEPPOL-COMMON-R040..R050); true for a scheme without such rules. */
export function isNumberOf(scheme: string, id: string): boolean {
  return checks[scheme]?.(id) ?? true
}

const checks: Readonly<Record<string, (id: string) => boolean>> = {
  '0088': (id) => /^\d{13}$/.test(id) && weighed(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
  '0192': (id) => /^\d{9}$/.test(id) && weighed(id, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  '0184': (id) => /^(DK)?\d{8}$/.test(id),
  '0208': (id) => /^[01]\d{9}$/.test(id) && 97 - (Number(id.slice(0, 8)) % 97) === Number(id.slice(8)),
  '0151': isAustralian,
  '0007': (id) => /^\d{10}$/.test(id) && luhn(id),
}

function weighed(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)
}

function luhn(digits: string): boolean {
  const sum = Array.from(digits, Number).reduceRight((total, digit, index) => {
    const doubled = digit * ((digits.length - index) % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** ABN: the first digit less one, then weights of 10, 1, 3, 5 .. 19. */
function isAustralian(id: string): boolean {
  if (!/^\d{11}$/.test(id)) return false
  return (weighed(id, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0
}
