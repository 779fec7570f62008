/**
 * One product for a whole project of tests: started with the run, used by each file as a tenant of its own
 * (`openTenant`).
 */
import type { TestProject } from 'vitest/node'
import { type Product, startProduct } from './product.ts'

/** What a file may use of it. Files that stop, crash or configure the installation start a product of their own. */
export type SharedProduct = Pick<
  Product,
  'url' | 'edgeUrl' | 'edgePort' | 'edgeHttpsPort' | 'nodePort' | 'dataFolder' | 'accounts'
>

declare module 'vitest' {
  export interface ProvidedContext {
    product: SharedProduct
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const product = await startProduct()
  const { url, edgeUrl, edgePort, edgeHttpsPort, nodePort, dataFolder, accounts } = product
  project.provide('product', { url, edgeUrl, edgePort, edgeHttpsPort, nodePort, dataFolder, accounts })
  return product.stop
}
