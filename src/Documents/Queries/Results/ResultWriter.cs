using System.Buffers;
using Raven.Blittable.Json;
using Raven.Documents.Json;

namespace Raven.Documents.Queries.Results;

/// <summary>Makes the JSON of results. One query, one thread at a time.</summary>
internal abstract class ResultWriter : IDisposable
{
    /// <summary>If results are distinct: whether one is written, by a hash of what it shows without its
    /// metadata. It is asked before the first byte of the result goes to its target.</summary>
    internal Func<UInt128, bool>? IsWanted { get; set; }

    /// <summary>Writes a result as one JSON object.</summary>
    /// <param name="target">Takes the bytes.</param>
    /// <param name="hit">The result.</param>
    /// <returns>False if it shows nothing or is not wanted: then nothing is written.</returns>
    internal abstract bool TryWrite(IBufferWriter<byte> target, in QueryHit hit);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Disposes what it holds.</summary>
    protected virtual void Dispose(bool isDisposing)
    {
    }

    /// <summary>Writes the metadata by which a projection differs from a document.</summary>
    protected static void WriteMetadata(ref JsonOutput json, in QueryHit hit)
    {
        json.Name("@metadata"u8);
        json.StartObject();
        json.Name("@projection"u8);
        json.Boolean(true);
        if (hit.HasDocument)
        {
            json.Name("@id"u8);
            json.String(hit.Document.Id.Span);
            json.Name("@change-vector"u8);
            json.String(hit.Document.ChangeVector.Span);
            json.Name("@last-modified"u8);
            DocumentJson.WriteDate(ref json, hit.Document.LastModifiedTicks);
        }

        if (hit.Score is { } score)
        {
            json.Name("@index-score"u8);
            json.Number(score);
        }

        hit.Location?.Write(ref json);

        json.EndObject();
    }

    /// <summary>Writes a JSON object without its closing brace, for more properties.</summary>
    protected static void WriteOpen(IBufferWriter<byte> target, ReadOnlySpan<byte> json)
    {
        target.Write(json[..^1]);
        if (json.Length > 2)
        {
            target.Write(","u8);
        }
    }
}
