// The code that a banking app scans, as on the PDF.
import { epcPicture, type Transfer } from '#documents/pdf/epc-code.ts'

/** On white, whatever is around it; what it is for stands beside it. */
export function PaperCode({ transfer, caption }: { transfer: Transfer; caption: string }) {
  const { viewBox, path } = epcPicture(transfer)
  return (
    <figure className="flex items-end gap-3">
      <figcaption className="max-w-32 text-right text-sm text-muted">{caption}</figcaption>
      <svg viewBox={viewBox} className="size-28 bg-white" shapeRendering="crispEdges" aria-hidden>
        <path d={path} fill="#000" />
      </svg>
    </figure>
  )
}
