/**
 * The X.509 library registers its algorithms with a container that needs three functions of the old metadata proposal.
 * These are those three, so that no package has to patch a global for us. Import this before the library.
 */

type Metadata = {
  getMetadata?(key: unknown, target: object): unknown
  getOwnMetadata?(key: unknown, target: object): unknown
  defineMetadata?(key: unknown, value: unknown, target: object): void
}

const reflect = Reflect as Metadata
if (!reflect.getMetadata) {
  const store = new WeakMap<object, Map<unknown, unknown>>()
  reflect.getOwnMetadata = (key, target) => store.get(target)?.get(key)
  reflect.getMetadata = reflect.getOwnMetadata
  reflect.defineMetadata = (key, value, target) => {
    store.set(target, (store.get(target) ?? new Map()).set(key, value))
  }
}
