using System.Text.Json;

namespace Raven.Client.Documents.Queries;

/// <summary>Leaves out the results, where only what is said of them is wanted.</summary>
internal sealed class NoResults : IResultReader
{
    internal static readonly NoResults Instance = new();

    public void Read(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body) => reader.Skip();
}
