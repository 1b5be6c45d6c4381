using System.Buffers;
using Raven.Blittable.Json;
using Raven.Search.Fields;

namespace Raven.Documents.Queries.Results;

/// <summary>
/// Entries of an index, for debugging: <c>debug=entries</c>. Shows what is stored with an entry, and the values of its
/// fields as they are searched; those of fields of words can be seen only as terms of the index.
/// </summary>
internal sealed class EntryResultWriter(QuerySession session) : ResultWriter
{
    /// <inheritdoc/>
    internal override bool TryWrite(IBufferWriter<byte> target, in QueryHit hit)
    {
        if (IsWanted?.Invoke(0) == false)
        {
            return false;
        }

        WriteOpen(target, hit.Stored.IsEmpty ? "{}"u8 : hit.Stored.Span);
        var json = new JsonOutput(target);
        json.String("id()"u8);
        json.Flush();
        target.Write(":"u8);
        json = new JsonOutput(target);
        if (hit.HasDocument)
        {
            json.String(hit.Document.Id.Span);
        }
        else
        {
            json.Null();
        }

        json.Flush();
        target.Write(",\"@terms\":"u8);
        WriteTerms(target, hit.Result);
        target.Write("}"u8);
        return true;
    }

    private void WriteTerms(IBufferWriter<byte> target, int result)
    {
        var json = new JsonOutput(target);
        json.StartObject();
        foreach (IndexField field in result < 0 ? [] : session.Fields)
        {
            if (field.Kind != FieldKind.Exact || field.Name == IndexFieldNames.Id)
            {
                continue;
            }

            json.Name(System.Text.Encoding.UTF8.GetBytes(field.Name));
            json.StartArray();
            foreach (string value in session.Entries.ValuesOf(result, field))
            {
                json.String(System.Text.Encoding.UTF8.GetBytes(value));
            }

            json.EndArray();
        }

        json.EndObject();
        json.Flush();
    }
}
