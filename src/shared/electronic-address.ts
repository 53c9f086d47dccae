/**
 * Schemes of electronic addresses (the EAS code list): rules BR-CL-25, PEPPOL-EN16931-CL008. The numbers of some hold check digits
 * (PEPPOL-COMMON-R040..R050).
 */
const schemes = new Set(
  (
    '0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191 0192 0193 ' +
    '0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218 0221 0225 0230 ' +
    '9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 ' +
    '9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959 EM'
  ).split(' '),
)

/** What is wrong with an electronic address, in words; null when nothing is. */
export function endpointError(endpoint: { scheme: string; id: string } | null): string | null {
  if (endpoint === null) return 'is missing'
  const { scheme, id } = endpoint
  if (!schemes.has(scheme)) return `${scheme} is no scheme of the official list`
  const isRight = checks[scheme]
  return isRight && !isRight(id) ? `${id} is not a number of the scheme ${scheme}` : null
}

const checks: Readonly<Record<string, (id: string) => boolean>> = {
  '0088': (id) => /^\d{13}$/.test(id) && weighed(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
  '0192': (id) => /^\d{9}$/.test(id) && weighed(id, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  '0184': (id) => /^(DK)?\d{8}$/.test(id),
  '0208': (id) => /^[01]\d{9}$/.test(id) && 97 - (Number(id.slice(0, 8)) % 97) === Number(id.slice(8)),
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
