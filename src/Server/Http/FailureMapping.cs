using Microsoft.AspNetCore.Http;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http;

/// <summary>
/// Which answer an exception becomes: bad input is a 4xx that says what and where; anything else is a bug, answered 500
/// with an id that is in the log beside the stack trace, which the client does not see unless an option says so.
/// </summary>
internal static class FailureMapping
{
    internal static void Answer(ServerState server, RequestContext request, Exception exception)
    {
        switch (exception)
        {
            case BadRequestException bad:
                ErrorResponse.Write(request, bad.Status, bad.Type, bad.Message);
                break;
            case BadHttpRequestException bad:
                // Kestrel's own: body too long or too slow, broken chunks, the client gone in the middle.
                ErrorResponse.Write(request, bad.StatusCode, ErrorType.BadRequest, bad.Message);
                break;
            case OperationCanceledException when request.Aborted.IsCancellationRequested:
                ServerLog.ClientGone(server.Log, request.Method, request.Path);
                request.Abort();
                break;
            case OperationCanceledException when server.Stopping.IsCancellationRequested:
                ErrorResponse.Write(request, 503, ErrorType.Canceled, "The server is stopping.");
                break;
            default:
                AnswerBug(server, request, exception);
                break;
        }
    }

    private static void AnswerBug(ServerState server, RequestContext request, Exception exception)
    {
        string id = server.NextErrorId();
        ServerLog.RequestFailed(server.Log, exception, id, request.Method, request.Path);
        string? error = server.Options.ShowStackTraces ? exception.ToString() : null;
        ErrorResponse.Write(
            request, 500, ErrorType.Raven, $"The server failed to answer; its log tells more under error {id}.", error);
    }
}
