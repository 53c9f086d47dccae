// The logo in the settings: chosen, looked at as it will stand on the paper, then kept or taken away.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ImageUp, Trash2 } from 'lucide-react'
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react'
import type { Organization } from '#shared/contract/organizations.ts'
import { ProblemError } from '#shared/problem.ts'
import { text } from '#page/words/app-text.ts'
import { asDataUrl, logoQuery } from '#page/device/logo.ts'
import { holdReload } from '#page/start/reload.ts'
import { problemText } from '#page/words/problem-text.ts'
import { Button } from '#page/ui/button.tsx'
import { notify } from '#page/ui/notify.ts'
import { Notice, Section } from '#page/ui/screen.tsx'
import { asBase64, asLogo } from './logo-picture.ts'
import { saveLogo } from './queries.ts'

const t = text.logo

interface Chosen {
  picture: Blob
  address: string
  /** What it takes the place of. */
  over: Organization['logo']
}

/** For who would leave the screen: whether a picture is chosen that was not saved. It says so where that is, and leads there. */
export interface ChosenLogo {
  isLeft: () => boolean
}

export function LogoForm({ organization, ref }: { organization: Organization; ref: Ref<ChosenLogo> }) {
  const queryClient = useQueryClient()
  // The server's own word, which this device may hear of later. What waits here unsent has no version of the server's.
  const [told, setTold] = useState(organization)
  const now = told.revision > organization.revision ? told : organization
  const kept = useQuery(logoQuery(now.id, now.logo))
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  // A picture is chosen again from nowhere but its file.
  useEffect(() => (chosen ? holdReload(() => true) : undefined), [chosen])
  const chooser = useRef<HTMLInputElement>(null)
  const saver = useRef<HTMLButtonElement>(null)
  function isLeft(): boolean {
    if (!chosen) return false
    setProblem(t.notSaved)
    saver.current?.focus()
    return true
  }
  useImperativeHandle(ref, () => ({ isLeft }))
  const pictures = [
    { address: now.logo && kept.data, name: t.current },
    { address: chosen?.address, name: t.chosen },
  ].filter(({ address }) => address)

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return
    setProblem(null)
    try {
      const picture = await asLogo(file)
      setChosen({ picture, address: await asDataUrl(picture), over: now.logo })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  async function save(): Promise<void> {
    setBusy(true)
    setProblem(null)
    try {
      const over = chosen ? chosen.over : now.logo
      const answer = await saveLogo(queryClient, now, over, chosen && (await asBase64(chosen.picture)))
      setTold(answer.now)
      if (answer.isSaved) {
        setChosen(null)
        notify('success', chosen ? t.saved : t.removed)
      } else {
        // Seen by now: the next press is meant.
        setProblem(t.changed)
        setChosen(chosen && { ...chosen, over: answer.now.logo })
      }
    } catch (error) {
      setProblem(
        error instanceof ProblemError
          ? (error.problem.errors?.[0]?.detail ?? problemText(error, 'action'))
          : problemText(error),
      )
    } finally {
      setBusy(false)
    }
  }

  return (
    <Section title={t.title}>
      <p className="text-sm text-muted">{t.lead}</p>
      {pictures.length > 0 && (
        <div className="flex flex-wrap gap-4">
          {pictures.map(({ address, name }) => (
            <figure key={name} className="grid content-start gap-1">
              <div data-theme="light" className="justify-self-start rounded-lg border border-line bg-white p-4">
                <img src={address!} alt={name} className="max-h-20 max-w-56 object-contain" />
              </div>
              {pictures.length > 1 && (
                <figcaption className="text-sm text-muted" aria-hidden>
                  {name}
                </figcaption>
              )}
            </figure>
          ))}
        </div>
      )}
      {problem && <Notice tone="danger">{problem}</Notice>}
      <input
        ref={chooser}
        type="file"
        accept="image/png,image/jpeg"
        aria-label={t.choose}
        className="sr-only"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          void choose(currentTarget.files?.[0])
          // The same file may be chosen again.
          currentTarget.value = ''
        }}
      />
      <div className="flex flex-wrap gap-3">
        {chosen ? (
          <>
            <Button ref={saver} look="primary" busy={busy} onClick={() => void save()}>
              {t.save}
            </Button>
            <Button
              onClick={() => {
                setChosen(null)
                setProblem(null)
              }}
            >
              {text.cancel}
            </Button>
          </>
        ) : (
          <>
            <Button icon={<ImageUp className="size-5" aria-hidden />} onClick={() => chooser.current?.click()}>
              {t.choose}
            </Button>
            {now.logo && (
              <Button
                look="quiet"
                busy={busy}
                icon={<Trash2 className="size-5" aria-hidden />}
                onClick={() => void save()}
              >
                {t.remove}
              </Button>
            )}
          </>
        )}
      </div>
    </Section>
  )
}
