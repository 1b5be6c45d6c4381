using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Raven.Client.Http;

/// <summary>How JSON is written on the wire: no more escapes than JSON asks for.</summary>
internal static class JsonFormats
{
    internal static readonly JsonWriterOptions Writer = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    /// <summary>Configurations and statistics: names as they are, enumerations by name, nothing that is null.</summary>
    internal static readonly JsonSerializerOptions Plain = new()
    {
        Converters = { new JsonStringEnumConverter() },
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };
}
