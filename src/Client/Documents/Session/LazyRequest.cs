using System.Runtime.ExceptionServices;
using System.Text.Json;
using Raven.Client.Documents.Commands;

namespace Raven.Client.Documents.Session;

/// <summary>A request that waits to be sent with others.</summary>
/// <param name="request">The request.</param>
/// <param name="read">Reads the answer; it gets an undefined element if there was none.</param>
internal sealed class LazyRequest(InnerRequest request, Action<JsonElement> read)
{
    private Exception? _failure;

    internal InnerRequest Request => request;

    internal bool IsDone { get; private set; }

    /// <summary>Sets the answer to this request. An error is thrown later, when the value is read.</summary>
    internal void SetAnswer(JsonElement answer)
    {
        IsDone = true;
        try
        {
            read(answer);
        }
        catch (Exception e)
        {
            _failure = e;
        }
    }

    internal void SetFailure(Exception failure)
    {
        IsDone = true;
        _failure = failure;
    }

    internal void ThrowIfFailed()
    {
        if (_failure != null)
        {
            ExceptionDispatchInfo.Throw(_failure);
        }
    }
}
