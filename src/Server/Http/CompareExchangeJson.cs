using System.Globalization;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.CompareExchange;
using Raven.Documents.Rows;

namespace Raven.Server.Http;

/// <summary>Compare-exchange values as clients read them.</summary>
internal static class CompareExchangeJson
{
    /// <summary>Writes a value with its key and index.</summary>
    internal static void Write(ref JsonOutput json, in CompareExchangeValue value, Database database)
    {
        json.StartObject();
        json.Name("Key"u8);
        json.String(value.Key.Span);
        json.Name("Index"u8);
        json.Number(value.Index);
        json.Name("ChangeVector"u8);
        json.String(string.Create(
            CultureInfo.InvariantCulture, $"{ServerState.NodeTag}:{value.Index}-{database.Id.Text}"));
        json.Name("Value"u8);
        json.Value(value.Value.AsValue());
        json.EndObject();
    }

    /// <summary>Writes the value that a change left; null without one.</summary>
    internal static void WriteCurrent(ref JsonOutput json, CompareExchangeAction change)
    {
        if (change.Current.IsEmpty)
        {
            json.Null();
        }
        else
        {
            json.Value(BlittableObject.Open(change.Current).AsValue());
        }
    }

    /// <summary>Writes the key of a missing value, in the form that clients expect.</summary>
    internal static void WriteMissing(ref JsonOutput json, ReadOnlySpan<byte> key)
    {
        json.StartObject();
        json.Name("Key"u8);
        json.String(key);
        json.Name("Index"u8);
        json.Number(-1);
        json.Name("Value"u8);
        json.Null();
        json.EndObject();
    }
}
