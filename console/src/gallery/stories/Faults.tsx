import { FaultList } from '../../kit/FaultList.tsx'
import { Failed } from '../../kit/faults.tsx'
import { Fault } from '../../platform/fault.ts'
import { aFault } from '../loaded.ts'
import type { Stories } from '../story.ts'

const many = new Fault({
  code: 101009,
  status: 400,
  errors: [
    { code: 101003, message: 'Parameter error.', targets: ['shop.example', 'img.example'] },
    { code: 101025, message: 'Duplicated.', targets: ['api.example'] },
  ],
})

export const stories: Stories = {
  'part of a page': () => <Failed fault={aFault} retry={() => {}} />,
  'no answer': () => <Failed fault={new Fault({})} />,
  list: { alone: true, show: () => <FaultList fault={many} /> },
}
