using Microsoft.Extensions.Logging;

namespace Raven.Server.Diagnostics;

/// <summary>
/// The loggers of a server, with a lowest level that can be changed while it runs, and lines that stay lines whatever
/// callers send. Any thread.
/// </summary>
internal sealed class LogSwitch(ILoggerFactory loggers, LogLevel level) : ILoggerFactory
{
    private volatile int _level = (int)level;

    /// <summary>The lowest level that is logged.</summary>
    internal LogLevel Level
    {
        get => (LogLevel)_level;
        set => _level = (int)value;
    }

    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => new SwitchedLogger(this, loggers.CreateLogger(categoryName));

    /// <inheritdoc/>
    public void AddProvider(ILoggerProvider provider) => loggers.AddProvider(provider);

    /// <summary>The factory beneath is disposed by its owner.</summary>
    public void Dispose()
    {
    }

    private sealed class SwitchedLogger(LogSwitch owner, ILogger logger) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => logger.BeginScope(state);

        public bool IsEnabled(LogLevel logLevel) => logLevel >= owner.Level && logger.IsEnabled(logLevel);

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (!IsEnabled(logLevel))
            {
                return;
            }

            // What an exception says may be what a caller sent. If it would change the log, it is a part of the line.
            string? trace = exception?.ToString();
            bool isTrace = trace == null || LogText.IsTrace(trace);
            logger.Log(
                logLevel, eventId, state, isTrace ? exception : null,
                (logged, _) => LogText.OneLine(
                    isTrace ? formatter(logged, exception) : $"{formatter(logged, exception)} {trace}"));
        }
    }
}
