/** A code editor. Loaded when the first one is shown. Tab leaves it, so that keyboard users are not trapped. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { Annotation, Compartment, EditorState, Prec } from '@codemirror/state'
import { EditorView, highlightActiveLineGutter, placeholder as hint, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { look } from './look.ts'
import { type CodeMode, languageOf } from './modes.ts'

/**
 * Returns the completions at an offset of a text, in characters from its start, and where the word being typed begins.
 */
export type Complete = (
  text: string,
  at: number,
) => { from: number; offers: readonly { text: string; kind: 'keyword' | 'field' | 'operator' | 'value' }[] }

export type EditorProps = {
  label: string
  mode: CodeMode
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  isWrong: boolean
  /** The id of the element that describes it. */
  describedBy: string | undefined
  placeholder?: string | undefined
  /** Absent if there are no completions. */
  complete?: Complete | undefined
  readOnly?: boolean | undefined
  /** Passes out a function that moves the cursor to a line and column, counted from 1. */
  onReady?: (goTo: (line: number, column?: number) => void) => void
}

/** Marks changes that were set by the form, not typed. */
const given = Annotation.define<true>()

export function Editor(props: EditorProps) {
  const { label, mode, value, isWrong, describedBy, placeholder = '', readOnly = false } = props
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const said = useRef(new Compartment())
  /** Typed texts that the form has not passed back yet: it renders later, when more may have been typed. */
  const typed = useRef<string[]>([])
  const now = useRef(props)
  now.current = props

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once, later changes are passed below
  useEffect(() => {
    const language = new Compartment()
    const editor = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          highlightActiveLineGutter(),
          history(),
          bracketMatching(),
          indentOnInput(),
          EditorView.lineWrapping,
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorState.readOnly.of(readOnly),
          hint(placeholder),
          look,
          now.current.complete ? offering(now) : [],
          language.of([]),
          said.current.of([]),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            if (!docChanged || transactions.some((one) => one.annotation(given))) return
            const text = state.doc.toString()
            typed.current.push(text)
            now.current.onChange(text)
          }),
          EditorView.domEventHandlers({
            blur(_, left) {
              closeCompletion(left)
              now.current.onBlur()
            },
          }),
        ],
      }),
    })
    view.current = editor
    let isGone = false
    void languageOf(mode).then((loaded) => {
      if (!isGone) editor.dispatch({ effects: language.reconfigure(loaded) })
    })
    now.current.onReady?.((line, column = 1) => {
      const { from, to } = editor.state.doc.line(Math.min(Math.max(1, line), editor.state.doc.lines))
      editor.dispatch({ selection: { anchor: Math.min(from + column - 1, to) }, scrollIntoView: true })
      editor.focus()
    })
    return () => {
      isGone = true
      editor.destroy()
    }
  }, [mode, readOnly, placeholder])

  useEffect(() => {
    const editor = view.current
    const at = typed.current.lastIndexOf(value)
    if (at >= 0) typed.current.splice(0, at + 1)
    else if (editor && editor.state.doc.toString() !== value) {
      typed.current = []
      const changes = { from: 0, to: editor.state.doc.length, insert: value }
      editor.dispatch({ changes, annotations: given.of(true) })
    }
  }, [value])

  useEffect(() => {
    const attributes: Record<string, string> = { 'aria-label': label, autocapitalize: 'off', spellcheck: 'false' }
    if (isWrong) attributes['aria-invalid'] = 'true'
    if (describedBy) attributes['aria-describedby'] = describedBy
    view.current?.dispatch({ effects: said.current.reconfigure(EditorView.contentAttributes.of(attributes)) })
  }, [label, isWrong, describedBy])

  return <div ref={box} />
}

/** Offers completions while typing, and on Ctrl+Space. Enter accepts one, Escape closes only the list. */
const offering = (props: { readonly current: EditorProps }) => [
  // The drawer around it also listens for Escape.
  Prec.highest(keymap.of(completionKeymap.map((binding) => ({ ...binding, stopPropagation: true })))),
  autocompletion({
    defaultKeymap: false,
    override: [
      ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
        const found = props.current.complete?.(state.doc.toString(), pos)
        if (!found || found.offers.length === 0) return null
        // After a space the next word begins; without typing, nothing pops up.
        if (!explicit && found.from === pos && !/\s$/.test(state.sliceDoc(0, pos))) return null
        const options = found.offers.map(({ text, kind }, at) => ({ label: text, type: kind, boost: -at }))
        return { from: found.from, options, validFor: /^[A-Za-z0-9]*$/ }
      },
    ],
    icons: false,
  }),
]
