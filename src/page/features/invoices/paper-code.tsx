// The code that a banking app scans, as on the PDF.
import { epcCode, type Transfer } from '#documents/pdf/epc-code.ts'

/** Black on white with its quiet zone, whatever is around it; what it is for stands beside it. */
export function PaperCode({ transfer, caption }: { transfer: Transfer; caption: string }) {
  const modules = epcCode(transfer)
  const path = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <figure className="flex items-end gap-3">
      <figcaption className="max-w-32 text-right text-sm text-muted">{caption}</figcaption>
      <svg
        viewBox={`-4 -4 ${modules.length + 8} ${modules.length + 8}`}
        className="size-28 bg-white"
        shapeRendering="crispEdges"
        aria-hidden
      >
        <path d={path} fill="#000" />
      </svg>
    </figure>
  )
}
