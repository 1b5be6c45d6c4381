using System.Text.Json;

namespace Raven.Client.Documents.Queries;

/// <summary>Skips the results, if only their number or other statistics are needed.</summary>
internal sealed class NoResults : IResultReader
{
    internal static readonly NoResults Instance = new();

    public void Read(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body) => reader.Skip();
}
