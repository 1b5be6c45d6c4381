using System.Buffers;
using Raven.Blittable.Json;

namespace Raven.Server.Queries.Results;

/// <summary>Entries of an index as they are stored, for people who look into it: <c>debug=entries</c>.</summary>
internal sealed class EntryRows : RowWriter
{
    /// <inheritdoc/>
    internal override bool TryWrite(IBufferWriter<byte> target, in QueryHit hit, out UInt128 row)
    {
        row = 0;
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
        target.Write("}"u8);
        return true;
    }
}
