/** Put into every page before its own code: tells when something is on the screen. All times in ms. */
{
  const painted = () =>
    new Promise((done) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done(performance.now())
        port2.postMessage(undefined)
      }),
    )
  let worst = 0
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId > 0) worst = Math.max(worst, duration)
  }).observe({ type: 'event', durationThreshold: 16 })

  /** The last large answer's moment, and who waits for a chart to be drawn after it. */
  const largeBytes = 500_000
  Response.prototype.json = async function () {
    const body = await this.text()
    if (body.length > largeBytes) watch.answered = performance.now()
    return JSON.parse(body)
  }
  let drawn = () => {}
  const stroke = CanvasRenderingContext2D.prototype.stroke
  CanvasRenderingContext2D.prototype.stroke = function (...path) {
    drawn(this.canvas.closest('figure')?.getAttribute('aria-label'))
    return stroke.apply(this, path)
  }

  const watch = {
    /** When the page was painted with so many of these in it, since it began to load. */
    until: (selector, count) =>
      new Promise((done) => {
        const isThere = () => document.querySelectorAll(selector).length >= count
        if (isThere()) return painted().then(done)
        const observer = new MutationObserver(() => {
          if (!isThere()) return
          observer.disconnect()
          painted().then(done)
        })
        observer.observe(document, { subtree: true, childList: true, attributes: true })
      }),
    pressed: 0,
    answered: 0,
    /** When a chart was painted after a large answer. */
    drawn: (label) =>
      new Promise((done) => {
        watch.answered = 0
        drawn = (name) => {
          if (name !== label || watch.answered === 0) return
          drawn = () => {}
          painted().then(done)
        }
      }),
    /** The longest that an interaction took until the next paint, since this was last asked. */
    slowest() {
      const found = worst
      worst = 0
      return found
    },
    /** From the text of an answer until a bare uPlot has painted its points. */
    async bare(text) {
      const began = performance.now()
      const points = JSON.parse(text).data
      const keys = Object.keys(points[0].value)
      const data = [points.map(({ time }) => time), ...keys.map((key) => points.map(({ value }) => value[key]))]
      const series = [{}, ...keys.map(() => ({ stroke: 'green' }))]
      new uPlot({ width: 1100, height: 260, series }, data, document.querySelector('main'))
      return (await painted()) - began
    },
  }
  addEventListener('click', ({ timeStamp }) => (watch.pressed = timeStamp), { capture: true })
  Object.assign(globalThis, { watch })
}
