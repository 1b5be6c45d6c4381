using Raven.Blittable.Reading;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Schemas;

namespace Raven.Documents.Commands;

/// <summary>Checks the operations of a batch against the rules of its database, before they change anything.</summary>
internal static class BatchRules
{
    /// <summary>
    /// Finds a value that must be unique and that a document has which the batch leaves as it is. What the documents
    /// of the batch have among themselves shows at its end (UNIQ-3).
    /// </summary>
    /// <param name="writer">Reads what is stored.</param>
    /// <param name="operations">The operations.</param>
    /// <param name="named">The documents that they name; null if there is one operation.</param>
    /// <param name="failure">Why not.</param>
    internal static bool TryCheckUnique(
        DocumentWriter writer, ReadOnlySpan<DocumentOperation> operations, KeyMap? named, out CommandFailure failure)
    {
        failure = default;
        if (named is not null && CountNamed(operations) != named.Count)
        {
            // Of a document that is written twice, the last version counts.
            return true;
        }

        for (int i = 0; i < operations.Length; i++)
        {
            ref readonly DocumentOperation operation = ref operations[i];
            if (operation.Kind == DocumentOperationKind.Put && writer.Unique.FindConflict(
                operation.Key, operation.Id, operation.CollectionKey, operation.Document, named) is { } conflict)
            {
                failure = CommandFailure.NotUnique(conflict).At(i);
                return false;
            }
        }

        return true;
    }

    /// <summary>Checks the documents that are written against the schemas of their collections.</summary>
    /// <param name="schemas">The schemas.</param>
    /// <param name="operations">The operations.</param>
    /// <param name="from">The first that is not known to be good; moved on.</param>
    /// <param name="failure">Why not.</param>
    internal static bool TryCheckSchemas(
        SchemaRules schemas, ReadOnlySpan<DocumentOperation> operations, ref int from, out CommandFailure failure)
    {
        for (; from < operations.Length; from++)
        {
            ref readonly DocumentOperation operation = ref operations[from];
            if (operation.Kind == DocumentOperationKind.Put && !TryCheckSchema(schemas, in operation, out failure))
            {
                failure = failure.At(from);
                return false;
            }
        }

        failure = default;
        return true;
    }

    /// <summary>Checks a document that is written against the schema of its collection.</summary>
    internal static bool TryCheckSchema(
        SchemaRules schemas, in DocumentOperation operation, out CommandFailure failure)
    {
        failure = default;
        if (schemas.Of(operation.CollectionKey.Span) is not { } schema
            || SchemaRun.OfThread.Check(schema.Schema, BlittableObject.Open(operation.Document)) is not { } violation)
        {
            return true;
        }

        failure = CommandFailure.Invalid(operation.Id, schema.Name, violation);
        return false;
    }

    /// <summary>The last operation that writes a document.</summary>
    internal static int LastPutOf(ReadOnlySpan<DocumentOperation> operations, ReadOnlySpan<byte> key)
    {
        int index = operations.Length - 1;
        while (index > 0 && !(operations[index].Kind == DocumentOperationKind.Put
            && operations[index].Key.Span.SequenceEqual(key)))
        {
            index--;
        }

        return index;
    }

    private static int CountNamed(ReadOnlySpan<DocumentOperation> operations)
    {
        int count = 0;
        foreach (ref readonly DocumentOperation operation in operations)
        {
            bool isNamed = operation.Kind != DocumentOperationKind.None && operation.Request == IdRequestKind.Exact;
            count += isNamed ? 1 : 0;
        }

        return count;
    }
}
