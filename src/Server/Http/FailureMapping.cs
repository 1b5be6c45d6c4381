using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Raven.Server.Diagnostics;
using Raven.Server.Documents;
using Raven.Server.Operations;

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
            case DatabaseDeletedException deleted:
                DatabaseGate.AnswerMissing(request, deleted.DatabaseName);
                break;
            case DatabaseFormatException format:
                ErrorResponse.Write(request, 503, ErrorType.DatabaseLoad, format.Message);
                break;
            case ConnectionResetException:
                ServerLog.ClientGone(server.Log, request.Method, request.Path);
                request.Abort();
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

    /// <summary>The failure of an operation whose request may be gone.</summary>
    internal static OperationFailure Describe(ServerState server, Exception exception) => exception switch
    {
        BadRequestException bad => new OperationFailure(bad.Status, bad.Type, bad.Message),
        BadHttpRequestException bad => new OperationFailure(bad.StatusCode, ErrorType.BadRequest, bad.Message),
        OperationCanceledException when server.Stopping.IsCancellationRequested =>
            new OperationFailure(503, ErrorType.Canceled, "The server is stopping."),
        OperationCanceledException => new OperationFailure(499, ErrorType.Canceled, "The operation was ended."),
        _ => new OperationFailure(500, ErrorType.Raven, exception.Message),
    };

    private static void AnswerBug(ServerState server, RequestContext request, Exception exception)
    {
        string id = server.NextErrorId();
        ServerLog.RequestFailed(server.Log, exception, id, request.Method, request.Path);
        string? error = server.Options.ShowStackTraces ? exception.ToString() : null;
        ErrorResponse.Write(
            request, 500, ErrorType.Raven, $"The server failed to answer; its log tells more under error {id}.", error);
    }
}
