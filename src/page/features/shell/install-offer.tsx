import { Download, Share, X } from 'lucide-react'
import { declineInstall, install, type InstallWay } from '#page/start/install.ts'
import { text } from '#page/words/app-text.ts'
import { Button } from '#page/ui/button.tsx'

const t = text.install

/** One line that can be sent away for good: what installing is good for, and how it is done here. */
export function InstallOffer({ way }: { way: InstallWay }) {
  return (
    <section
      aria-label={t.title}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-3 sm:flex-nowrap"
    >
      <div className="min-w-0">
        <p className="font-medium">{t.title}</p>
        <p className="text-sm text-muted">{t.lead}</p>
        {way === 'share' && (
          <ol className="mt-1 grid list-decimal gap-0.5 pl-5 text-sm">
            {t.steps.map((step, index) => (
              <li key={step}>
                {index === 0 && <Share className="mr-1 inline size-4 align-text-bottom text-accent" aria-hidden />}
                {step}
              </li>
            ))}
          </ol>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 sm:shrink-0 sm:flex-nowrap">
        {way === 'prompt' && (
          <Button look="primary" icon={<Download className="size-5" aria-hidden />} onClick={() => void install()}>
            {t.install}
          </Button>
        )}
        <Button
          look="quiet"
          className={way === 'share' ? 'max-sm:-ml-4' : ''}
          icon={<X className="size-5" aria-hidden />}
          onClick={declineInstall}
        >
          {t.decline}
        </Button>
      </div>
    </section>
  )
}
