using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Commands;

namespace Raven.Server.Http;

/// <summary>Maps the failure of a command to an answer.</summary>
internal static class CommandFailures
{
    /// <summary>Answers with the failure of a command.</summary>
    /// <param name="request">The request.</param>
    /// <param name="failure">The failure.</param>
    /// <param name="isClusterWide">True if it is that of a transaction of the cluster.</param>
    /// <param name="command">Which command of a batch it was; -1 if that is not known, or there is only one.</param>
    internal static void Answer(
        RequestContext request, in CommandFailure failure, bool isClusterWide = false, int command = -1)
    {
        (int status, string type) = KindOf(failure.Kind);
        type = isClusterWide && failure.Kind == CommandFailureKind.Conflict ? ErrorType.ClusterConcurrency : type;
        if (failure.Unique is { } unique)
        {
            ErrorResponse.WriteNotUnique(request, type, unique);
        }
        else if (failure.Kind == CommandFailureKind.Conflict)
        {
            ErrorResponse.WriteConflict(
                request, type, failure.Describe(), Text(failure.Id), Text(failure.ExpectedChangeVector),
                Text(failure.ActualChangeVector));
        }
        else
        {
            string message = failure.Describe();
            ErrorResponse.Write(request, status, type, command < 0 ? message : $"Command {command}: {message}");
        }
    }

    /// <summary>The status and the type of a failure.</summary>
    internal static (int Status, string Type) KindOf(CommandFailureKind kind) => kind switch
    {
        CommandFailureKind.Conflict => (409, ErrorType.Concurrency),
        CommandFailureKind.NotUnique => (409, ErrorType.NotUnique),
        CommandFailureKind.Invalid => (400, ErrorType.SchemaValidation),
        CommandFailureKind.DocumentTooLarge => (413, ErrorType.Argument),

        // Clients take a 404 for an empty answer, and would not say what is missing.
        CommandFailureKind.DocumentMissing => (400, ErrorType.DocumentMissing),
        CommandFailureKind.AttachmentMissing => (400, ErrorType.AttachmentMissing),
        CommandFailureKind.ScriptFailed => (400, ErrorType.Script),
        CommandFailureKind.Refused => (400, ErrorType.BadRequest),
        _ => (400, ErrorType.Argument),
    };

    private static string Text(NativeSlice utf8) => Encoding.UTF8.GetString(utf8.Span);
}
