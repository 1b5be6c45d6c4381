namespace SlowTests.NodeClient;

/// <summary>Keeps what a server answered to the client of one database.</summary>
internal sealed class OptionRecorder(string database) : DelegatingHandler(new SocketsHttpHandler { UseProxy = false })
{
    private readonly Lock _lock = new();
    private List<OptionAnswer> _answers = [];

    /// <summary>The answers since the last call.</summary>
    internal List<OptionAnswer> Take()
    {
        lock (_lock)
        {
            List<OptionAnswer> taken = _answers;
            _answers = [];
            return taken;
        }
    }

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        HttpResponseMessage response = await base.SendAsync(request, cancellationToken);
        await response.Content.LoadIntoBufferAsync(cancellationToken);
        string body = await response.Content.ReadAsStringAsync(cancellationToken);
        lock (_lock)
        {
            _answers.Add(OptionAnswer.Of(
                $"{request.Method} {request.RequestUri!.AbsolutePath}", (int)response.StatusCode, body, database));
        }

        return response;
    }
}
