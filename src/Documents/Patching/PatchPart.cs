using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Json;
using Raven.Documents.Rows;

namespace Raven.Documents.Patching;

/// <summary>
/// The result of a patch in a batch. It changes nothing by itself: the changes are puts, deletions and other parts.
/// </summary>
internal sealed class PatchPart : BatchPart
{
    private readonly string _type;
    private readonly bool _returnsDocument;

    /// <summary>Makes a result.</summary>
    /// <param name="type">The type of the command, which the result repeats.</param>
    /// <param name="returnsDocument">Whether the result has the document, if it was changed.</param>
    internal PatchPart(string type, bool returnsDocument)
    {
        _type = type;
        _returnsDocument = returnsDocument;
    }

    /// <summary>Whether the result has the document, changed or not.</summary>
    internal bool ReturnsDocument => _returnsDocument;

    /// <summary>How the patch ended.</summary>
    internal PatchStatus Status { get; set; }

    /// <summary>The document before, for debugging.</summary>
    internal PlannedDocument Original { get; set; }

    /// <summary>The stored document after it, if there is one and the result has it.</summary>
    internal NativeSlice Modified { get; set; }

    /// <summary>The debug output of the script, if it was asked for.</summary>
    internal PatchDebug? Debug { get; set; }

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
    }

    internal override void Tell(DocumentWriter writer, in DocumentOperation operation)
    {
    }

    internal override void WriteResult(ref JsonOutput json, in DocumentOperation operation)
    {
        json.Name("Type"u8);
        json.String(_type);
        json.Name("Id"u8);
        json.String(operation.Id.Span);
        json.Name("PatchStatus"u8);
        json.String(Status.ToString());
        json.Name("ChangeVector"u8);
        WriteText(ref json, operation.ChangeVector);
        json.Name("LastModified"u8);
        if (operation.LastModifiedTicks == 0)
        {
            json.Null();
        }
        else
        {
            DocumentJson.WriteDate(ref json, operation.LastModifiedTicks);
        }

        if (_returnsDocument)
        {
            json.Name("ModifiedDocument"u8);
            WriteModified(ref json, in operation);
        }
    }

    /// <summary>Writes the document with its metadata, or null.</summary>
    internal void WriteModified(ref JsonOutput json, in DocumentOperation operation)
    {
        if (Modified.IsEmpty)
        {
            json.Null();
            return;
        }

        DocumentJson.Write(ref json, BlittableObject.Open(Modified), new DocumentFacts
        {
            Id = operation.Id.Span,
            ChangeVector = operation.ChangeVector.Span,
            Collection = operation.Collection.Span,
            LastModifiedTicks = operation.LastModifiedTicks,
            Flags = operation.Flags,
        });
    }

    private static void WriteText(ref JsonOutput json, NativeSlice text)
    {
        if (text.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.String(text.Span);
        }
    }
}
