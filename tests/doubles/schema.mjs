// schema.mjs -- the smallest value that a JSON schema allows: what a model answers that is asked for one. Pure.
export function smallest(schema, name = 'value') {
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return smallest(schema.anyOf[0], name)
  const required = Object.entries(schema.properties ?? {}).filter(([key]) => schema.required?.includes(key) ?? true)
  switch ([schema.type].flat()[0]?.toLowerCase()) {
    case 'object': return Object.fromEntries(required.map(([key, value]) => [key, smallest(value, key)]))
    case 'array': return []
    case 'boolean': return false
    case 'integer':
    case 'number': return schema.minimum ?? 0
    case 'null': return null
    default: return `fake ${name}`
  }
}
