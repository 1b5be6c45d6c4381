using System.Text.Encodings.Web;
using System.Text.Json;

namespace Raven.Client.Http;

/// <summary>How JSON is written on the wire: no more escapes than JSON asks for.</summary>
internal static class JsonFormats
{
    internal static readonly JsonWriterOptions Writer = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };
}
