using System.Runtime.CompilerServices;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Server.Http;

/// <summary>Reads a whole request body as one JSON object, straight from Kestrel's buffers.</summary>
public static class BodyReader
{
    /// <summary>Reads the body to its end.</summary>
    /// <param name="request">The request; the document lives in its operation context, until the handler
    /// is done.</param>
    /// <param name="mode"><see cref="BlittableMode.ToDisk"/> for a document that will be stored.</param>
    /// <returns>The object, in the memory of the request.</returns>
    /// <exception cref="BadRequestException">The body is no JSON object, too long, or has an
    /// unknown encoding.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<BlittableObject> ReadObjectAsync(RequestContext request, BlittableMode mode)
    {
        ArgumentNullException.ThrowIfNull(request);
        JsonToBlittable parser = request.Operation.Parser;
        BodySource body = request.BeginBody(request.Server.Options.RequestBodySizeBytesMax);
        parser.Begin(mode);
        while (await body.ReadAsync(CancellationToken.None).ConfigureAwait(false))
        {
            while (!body.Current.IsEmpty)
            {
                if (parser.Feed(body.Current, out int consumed) == JsonParseStatus.Invalid)
                {
                    throw Invalid(parser.Error);
                }

                body.Consume(consumed);
            }
        }

        return parser.TryFinish(out BlittableObject document, out JsonError error) ? document : throw Invalid(error);
    }

    private static BadRequestException Invalid(JsonError error) =>
        error.IsTooLong
            ? new(413, ErrorType.Argument, $"The body is too long: {error}")
            : new(400, ErrorType.InvalidJson, $"The body is not a JSON object: {error}");
}
