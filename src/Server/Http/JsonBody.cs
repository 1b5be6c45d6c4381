using System.Buffers;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Server.Http;

/// <summary>Bodies that are stored as they were sent: settings.</summary>
internal static class JsonBody
{
    /// <summary>Reads a body, which must be an object, whatever its content type says.</summary>
    /// <exception cref="BadRequestException">It is no object.</exception>
    internal static async ValueTask<byte[]> ReadAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        var json = new ArrayBufferWriter<byte>();
        BlittableToJson.Write(body, json, JsonOutputOptions.Original);
        return json.WrittenSpan.ToArray();
    }
}
