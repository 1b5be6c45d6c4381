using System.Net;
using System.Text.Json;

namespace Raven.CommandLine.Import.Server;

/// <summary>The server refused: its status and its own words.</summary>
public sealed class ServerException(HttpStatusCode status, string type, string message) : Exception(message)
{
    /// <summary>The HTTP status.</summary>
    public HttpStatusCode Status { get; } = status;

    /// <summary>Whether there is no such database.</summary>
    internal bool IsDatabaseMissing => type.EndsWith(".DatabaseDoesNotExistException", StringComparison.Ordinal);

    /// <summary>Reads the error body ({"Url","Type","Message","Error"}) of a response.</summary>
    internal static async Task<ServerException> FromAsync(HttpResponseMessage response)
    {
        string body = await response.Content.ReadAsStringAsync();
        string message = body;
        string type = "";
        try
        {
            using JsonDocument error = JsonDocument.Parse(body);
            if (error.RootElement.ValueKind == JsonValueKind.Object
                && error.RootElement.TryGetProperty("Message", out JsonElement text))
            {
                message = text.ToString();
                type = error.RootElement.TryGetProperty("Type", out JsonElement named) ? named.ToString() : "";
            }
        }
        catch (JsonException)
        {
            // Not one of the server's own errors: a proxy perhaps. The body as it is says most.
        }

        string what = response.RequestMessage?.RequestUri?.PathAndQuery ?? "";
        return new ServerException(response.StatusCode, type, $"{(int)response.StatusCode} on {what}: {message}");
    }
}
