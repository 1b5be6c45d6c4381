namespace Raven.Client.Http;

/// <summary>A command made of two delegates: one makes the request, one reads the answer.</summary>
internal sealed class SimpleCommand<TResult>(
    Func<ServerNode, HttpRequestMessage> request, Func<RavenResponse, TResult?> read, bool isRead)
    : RavenCommand<TResult>
{
    public override bool IsReadRequest => isRead;

    public override bool CanCache => false;

    internal bool NotFoundIsResult { get; init; }

    internal Func<bool> CanSendAgain { get; init; } = () => true;

    internal bool IsRememberedByServer { get; init; }

    internal override bool IsRemembered => IsRememberedByServer;

    internal override bool CanResend => CanSendAgain();

    internal override bool AcceptsNotFound(HttpResponseMessage response) => isRead || NotFoundIsResult;

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) => request(node);

    protected internal override TResult? ReadResponse(RavenResponse response) => read(response);
}
