using System.Text.Json;
using Raven.Client.Documents.Commands;

namespace Raven.Client.Documents.Session;

/// <summary>A request that waits for others to go with it.</summary>
/// <param name="request">What it asks; null where the session has the answer.</param>
/// <param name="read">Takes over the answer; nothing where there was none.</param>
internal sealed class LazyRequest(InnerRequest? request, Action<JsonElement> read)
{
    internal InnerRequest? Request => request;

    internal bool IsDone { get; private set; } = request is null;

    internal void SetAnswer(JsonElement answer)
    {
        read(answer);
        IsDone = true;
    }
}
