using Raven.Documents.Schemas;

namespace Raven.Documents.Commands;

/// <summary>How far the operations of a batch are checked against the schemas of its database.</summary>
internal struct BatchSchemas
{
    private SchemaRules? _schemas;
    private int _checked;

    /// <summary>Checks the operations that are not known to keep to the schemas.</summary>
    /// <param name="schemas">The schemas; null if there are none.</param>
    /// <param name="operations">The operations.</param>
    /// <param name="areNew">Whether they are not those that were checked before.</param>
    /// <param name="failure">Why not.</param>
    internal bool TryCheck(
        SchemaRules? schemas, ReadOnlySpan<DocumentOperation> operations, bool areNew, out CommandFailure failure)
    {
        failure = default;
        if (areNew || !ReferenceEquals(_schemas, schemas))
        {
            _checked = 0;
            _schemas = schemas;
        }

        return schemas is null || BatchRules.TryCheckSchemas(schemas, operations, ref _checked, out failure);
    }

    /// <summary>The operations from this one on are not those that were checked.</summary>
    internal void TruncateTo(int count) => _checked = Math.Min(_checked, count);
}
