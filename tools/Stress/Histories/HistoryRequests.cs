using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Raven.Tools.Stress.Histories;

/// <summary>Sends the requests of one client, and says what is known of each then.</summary>
/// <param name="http">Its connections.</param>
/// <param name="recorder">Counts the answers.</param>
internal sealed class HistoryRequests(HttpClient http, HistoryRecorder recorder)
{
    /// <summary>More than the 15 s that a server holds a request.</summary>
    private static readonly TimeSpan AnswerMax = TimeSpan.FromSeconds(20);

    /// <summary>Sends one.</summary>
    /// <param name="method">Its method.</param>
    /// <param name="url">Where.</param>
    /// <param name="body">Its body; null for none.</param>
    /// <param name="ifMatch">The version that must be there; null for any.</param>
    /// <returns>Whether it was done, and the answer if it was.</returns>
    internal async Task<(HistoryOutcome Outcome, JsonNode? Answer)> SendAsync(
        HttpMethod method, string url, JsonNode? body = null, string? ifMatch = null)
    {
        long began = recorder.Clock.Now;
        using var late = new CancellationTokenSource(AnswerMax);
        using var request = new HttpRequestMessage(method, url)
        {
            Content = body is null ? null : new OnceBody(body),
        };
        if (ifMatch is not null)
        {
            request.Headers.TryAddWithoutValidation("If-Match", $"\"{ifMatch}\"");
        }

        try
        {
            using HttpResponseMessage response = await http.SendAsync(request, late.Token);
            string text = await response.Content.ReadAsStringAsync(late.Token);
            JsonNode? answer = text.Length == 0 ? null : JsonNode.Parse(text);
            recorder.Count($"{method} {url}", began, response.StatusCode, TypeOf(response, answer), text);
            if (response.IsSuccessStatusCode && answer is not JsonObject)
            {
                recorder.Fail($"{(int)response.StatusCode} without an object", $"{method} {url}: '{text}'");
                return (HistoryOutcome.Perhaps, null);
            }

            return response.IsSuccessStatusCode ? (HistoryOutcome.Done, answer)
                : response.StatusCode is HttpStatusCode.Conflict or HttpStatusCode.ServiceUnavailable
                    or HttpStatusCode.InsufficientStorage ? (HistoryOutcome.NotDone, answer)
                : (HistoryOutcome.Perhaps, answer);
        }
        catch (Exception e) when (e is HttpRequestException or IOException or OperationCanceledException
            or JsonException)
        {
            recorder.Count($"{method} {url}", began, null, null, e.Message);
            return (e is HttpRequestException { HttpRequestError: HttpRequestError.ConnectionError }
                ? HistoryOutcome.NotDone
                : HistoryOutcome.Perhaps, null);
        }
    }

    private static string? TypeOf(HttpResponseMessage response, JsonNode? answer) => response.IsSuccessStatusCode
        ? null
        : (answer as JsonObject)?["Type"]?.GetValue<string>().Split('.')[^1];
}
