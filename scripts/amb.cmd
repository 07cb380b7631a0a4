@echo off
rem Runs the amb program of an unpacked archive on Windows, with Java alone.
setlocal
set "AMB_JAVA=java"
if defined JAVA_HOME set "AMB_JAVA=%JAVA_HOME%\bin\java"
rem One thread per rank: more threads make small micro-batches slower and erratic.
rem Bits depend on their number.
set "OMP_NUM_THREADS=1"
"%AMB_JAVA%" -XX:+UseSerialGC -Xmx1g -Dfile.encoding=UTF-8 %AMB_OPTIONS% -jar "%~dp0..\amb.jar" %*
exit /b %ERRORLEVEL%
