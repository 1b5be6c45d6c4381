using System.Net;
using System.Text.Json;

namespace Raven.Tools.Import.Server;

/// <summary>The server refused: its status and its own words.</summary>
public sealed class ServerException(HttpStatusCode status, string message) : Exception(message)
{
    /// <summary>The HTTP status.</summary>
    public HttpStatusCode Status { get; } = status;

    /// <summary>Reads the error body ({"Url","Type","Message","Error"}) of a response.</summary>
    internal static async Task<ServerException> FromAsync(HttpResponseMessage response)
    {
        string body = await response.Content.ReadAsStringAsync();
        string message = body;
        try
        {
            using JsonDocument error = JsonDocument.Parse(body);
            if (error.RootElement.ValueKind == JsonValueKind.Object
                && error.RootElement.TryGetProperty("Message", out JsonElement text))
            {
                message = text.ToString();
            }
        }
        catch (JsonException)
        {
            // Not one of the server's own errors: a proxy perhaps. The body as it is says most.
        }

        string what = response.RequestMessage?.RequestUri?.PathAndQuery ?? "";
        return new ServerException(response.StatusCode, $"{(int)response.StatusCode} on {what}: {message}");
    }
}
