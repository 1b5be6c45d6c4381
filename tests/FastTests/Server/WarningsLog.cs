using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace FastTests.Server;

/// <summary>Keeps what is logged as a warning or worse, or from another level on.</summary>
internal sealed class WarningsLog(LogLevel lowest = LogLevel.Warning) : ILoggerProvider, ILogger
{
    internal ConcurrentQueue<string> Lines { get; } = [];

    public ILogger CreateLogger(string categoryName) => this;

    public void Dispose()
    {
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= lowest;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
        {
            Lines.Enqueue($"{formatter(state, exception)} {exception}");
        }
    }
}
