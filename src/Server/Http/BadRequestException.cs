namespace Raven.Server.Http;

/// <summary>
/// The request is wrong in a way that its sender can mend: becomes a 4xx with the message as it stands, in one place
/// (<see cref="ErrorResponse"/>). For what goes wrong often, a handler answers without an exception instead.
/// </summary>
public sealed class BadRequestException : Exception
{
    /// <summary>A bad request.</summary>
    /// <param name="status">400 to 499, or 501 for what is not served.</param>
    /// <param name="type">The name clients know the failure by; see <see cref="ErrorType"/>.</param>
    /// <param name="message">What is wrong, and where.</param>
    public BadRequestException(int status, string type, string message)
        : base(message)
    {
        Status = status;
        Type = type;
    }

    /// <summary>A bad request with status 400.</summary>
    public BadRequestException(string message)
        : this(400, ErrorType.BadRequest, message)
    {
    }

    /// <summary>The HTTP status.</summary>
    public int Status { get; }

    /// <summary>The type in the answer's body.</summary>
    public string Type { get; }
}
